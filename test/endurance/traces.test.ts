// Takes long: starts the service again after a kill.
import { expect } from 'chai';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Authority, createAuthority } from '../helpers/certificates.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';
import { type ModelServer, startModelServer } from '../helpers/modelServer.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { startSilentHosts } from '../helpers/silentHosts.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { copyTemplate } from '../helpers/template.ts';
import { startTraceReceiver, type TraceReceiver } from '../helpers/traceReceiver.ts';
import { until } from '../helpers/until.ts';

const MODEL = 'openai-compatible/scripted';
const usage = { prompt_tokens: 120, completion_tokens: 7 };
/** Every text of a customer contains this. */
const MARK = 'zq7customer';
const modelCalls = [
  [
    {
      name: 'replace_text',
      arguments: { from: 'Northwind', to: `Northwind ${MARK}`, slug: '/about' },
    },
  ],
  [{ name: 'finish', arguments: { summary: `Renamed it ${MARK}` } }],
];

describe('traces', function () {
  this.timeout(300_000);
  let folder: ReturnType<typeof temporaryFolder>;
  let authorityFolder: ReturnType<typeof temporaryFolder>;
  let traces: TraceReceiver;
  let model: ModelServer;
  let callbacks: HttpReceiver;
  let service: Service;
  let authority: Authority;
  let certificates: string;
  let isModelBroken = false;

  const start = async () =>
    (service = await startService({
      dataDir: folder.path,
      env: {
        OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
        OTEL_EXPORTER_OTLP_HEADERS: 'x-team=one%20two',
        CALLBACK_ALLOW_PRIVATE: 'true',
        NODE_EXTRA_CA_CERTS: certificates,
        AGENT_MODEL: `rules,${MODEL}`,
        AGENT_BASE_URL: model.url('openai-compatible'),
      },
    }));
  before(async () => {
    folder = temporaryFolder();
    copyTemplate(folder.path);
    authority = await createAuthority();
    authorityFolder = temporaryFolder();
    certificates = join(authorityFolder.path, 'authority.pem');
    writeFileSync(certificates, authority.ca);
    traces = await startTraceReceiver();
    callbacks = await startHttpReceiver(() => 204);
    model = await startModelServer(({ messages }) =>
      isModelBroken
        ? { status: 400, body: { error: { message: `no ${MARK}` } } }
        : {
            calls: modelCalls[messages.filter(({ role }) => role === 'assistant').length]!,
            usage,
          },
    );
    await start();
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) console.error(service.launched.log());
  });
  after(async () => {
    await endServices();
    await Promise.all([model?.close(), traces?.close(), callbacks?.close()]);
    removeTeamSites();
    folder.remove();
    authorityFolder.remove();
  });

  const spansOf = (taskId: string) =>
    traces
      .spans()
      .filter(({ attributes }) =>
        [attributes['task.id'], attributes['temporalWorkflowId']].includes(taskId),
      );
  const requestOf = (taskId: string) => spansOf(taskId).find(({ name }) => name === post);
  const post = 'POST /api/v1/agent/tasks';
  /** The spans of the trace that began with the request that created the task. */
  const traceOf = (taskId: string) =>
    traces.spans().filter(({ traceId }) => traceId === requestOf(taskId)?.traceId);
  const workflowEnded = (taskId: string) =>
    until(
      'the span of the workflow',
      () => spansOf(taskId).some(({ name }) => name === 'RunWorkflow:taskWorkflow'),
      60_000,
    );
  const namesOf = (taskId: string) => new Set(traceOf(taskId).map(({ name }) => name));

  it('makes one trace of a published task, also across kill -9 of the service', async () => {
    const callbackUrl = callbacks.url('/traced');
    const site = await TeamSite.register(service, 'traced');
    const publish = site.gate('refs/heads/main');
    const body = citiesBody(['Lisbon', 'Porto'], { publish: true, callbackUrl });
    const taskId = await site.create(body);
    await publish.arrived();
    const { traceId } = await until('the span of the request', () => requestOf(taskId));
    await service.kill();
    await start();
    publish.open();
    expect(await service.waitForTask(taskId)).to.include({ status: 'completed' });
    await workflowEnded(taskId);
    expect(namesOf(taskId)).to.include.keys(
      post,
      'StartWorkflow:taskWorkflow',
      'RunWorkflow:taskWorkflow',
      'RunActivity:publish',
      'RunActivity:deployProduction',
      'RunActivity:sendCallback',
      'git push',
    );
    const run = spansOf(taskId).filter(({ name }) => /^Run/.test(name));
    expect(new Set(run.map((span) => span.traceId))).to.deep.equal(new Set([traceId]));
    // an activity is a child of its workflow, before and after the kill
    const workflow = run.filter(({ name }) => name.startsWith('RunWorkflow:taskWorkflow'));
    expect(workflow).to.have.length(1);
    const activities = run.filter(({ name }) => name.startsWith('RunActivity:'));
    expect(new Set(activities.map(({ parentSpanId }) => parentSpanId))).to.deep.equal(
      new Set([workflow[0]!.spanId]),
    );
    const logged = service.launched
      .lines()
      .filter((line) => line.taskId === taskId && line.activity);
    expect(logged.length).to.be.above(0);
    for (const line of logged) expect(line).to.include({ trace_id: traceId });
  });

  it('names the model and counts tokens, and records codes of errors', async () => {
    const taskId = await service.createTask({ prompt: `Rename us ${MARK}`, model: MODEL });
    expect(await service.waitForTask(taskId)).to.include({ status: 'completed' });
    await workflowEnded(taskId);
    const call = traceOf(taskId).find(({ name }) => name === 'model call');
    expect(call?.attributes).to.deep.equal({
      'gen_ai.request.model': MODEL,
      'gen_ai.usage.input_tokens': 120,
      'gen_ai.usage.cached_tokens': 0,
      'gen_ai.usage.output_tokens': 7,
    });
    isModelBroken = true;
    const failed = await service.createTask({ prompt: `Rename us ${MARK}`, model: MODEL });
    expect(await service.waitForTask(failed)).to.include({ status: 'failed' });
    await workflowEnded(failed);
    const turn = traceOf(failed).find(({ name }) => name === 'RunActivity:runAgentTurn');
    expect(turn).to.deep.include({ hasFailed: true });
    expect(turn?.attributes).to.include({ 'error.type': 'MODEL_FAILED', 'task.id': failed });
  });

  it('shows the requests to a forge, and to a host that never answers', async () => {
    const silent = await startSilentHosts(service, authority);
    try {
      const [atForge, atHost] = (await silent.wait(2)) as [string, string];
      await silent.cancel([atForge, atHost]);
      await Promise.all([atForge, atHost].map(workflowEnded));
      const report = traceOf(atForge).find(({ name }) => name === 'forge request');
      expect(report?.attributes).to.deep.equal({ 'http.response.status_code': 200 });
      const check = await until('a request to the host', () =>
        traceOf(atHost).find(({ name }) => name === 'host check'),
      );
      expect(check.hasFailed).to.equal(true);
      const parent = traceOf(atHost).find(({ spanId }) => spanId === check.parentSpanId);
      expect(parent?.name).to.equal('RunActivity:checkDeployment');
    } finally {
      await silent.close();
    }
  });

  it('gives the log line of a request the id of its trace, and names no path', async () => {
    const path = `/api/v1/agent/tasks/${MARK}`;
    const { status } = await service.request('GET', path);
    expect(status).to.equal(404);
    const line = await until('the log line', () =>
      service.launched.lines().find((logged) => logged.path === path),
    );
    const span = await until('the span', () =>
      traces.spans().find(({ traceId }) => traceId === line.trace_id),
    );
    expect(span.name).to.equal('GET /api/v1/agent/tasks/:taskId');
    expect(span.attributes).to.include({
      'http.response.status_code': 404,
      'error.type': 'NOT_FOUND',
    });
  });

  it('sends nothing that customers wrote, no URL, no slug and no token', async () => {
    const body = citiesBody([`${MARK}-Town`], {
      callbackUrl: callbacks.url(`/${MARK}`),
      title: `Title ${MARK}`,
    });
    const taskId = await service.createTask(body);
    await service.waitForTask(taskId);
    await workflowEnded(taskId);
    expect(traces.text()).to.include('one two'); // the header for the receiver
    for (const hidden of [MARK, 'Northwind', 'http://', 'https://', 'file://', service.demo.apiKey])
      expect(traces.text().toLowerCase()).to.not.include(hidden.toLowerCase());
    for (const { events } of traces.spans()) expect(events).to.deep.equal([]);
  });
});
