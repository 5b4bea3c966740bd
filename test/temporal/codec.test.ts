import { ApplicationFailure } from '@temporalio/activity';
import type { Client, Connection } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { expect } from 'chai';
import { randomBytes, randomUUID } from 'node:crypto';
import { observeActivities } from '../../activities/observeActivities.ts';
import { createSendCallback } from '../../activities/sendCallback.ts';
import { currentQuestion } from '../../src/contract/task.ts';
import { DomainError } from '../../src/errors.ts';
import { createLogger } from '../../src/log.ts';
import { connectWorker, createClient } from '../../src/temporal/connection.ts';
import { createPayloadCodec } from '../../src/temporal/payloadCodec.ts';
import { createRecordedTasks } from '../../src/temporal/tasks/recordedTasks.ts';
import { createTaskClient, type TaskClient } from '../../src/temporal/tasks/taskClient.ts';
import { createWorker } from '../../src/temporal/worker/worker.ts';
import { startOwnTemporal } from '../helpers/ownTemporal.ts';
import { bundles, fakeActivities } from '../helpers/temporal.ts';
import { replayAll } from '../replay/divergence.ts';
import { historiesOf } from '../replay/sources.ts';
import { readConfig } from '../../src/config.ts';
import { bundleWorkflows, workflowBundle } from '../../src/temporal/worker/workerBuild.ts';
import { fileURLToPath } from 'node:url';
import { until } from '../helpers/until.ts';
import { made } from '../helpers/about.ts';
import { unlimited } from '../helpers/leases.ts';

const log = createLogger('silent');
/**
 * Stands in what tasks are asked and what they write. Messages of errors are not encoded by codecs.
 */
const SECRET = 'kept between us';

const keyOf = (id: string) => ({ id, key: randomBytes(32) });
const [old, next] = [keyOf('old'), keyOf('next')];
const converterOf = (...keys: (typeof old)[]): DataConverter => ({
  payloadCodecs: [createPayloadCodec(keys, true)],
});
/** The worker and most clients. */
const dataConverter = converterOf(old, next);

/** All texts of a value, with the bytes of payloads as text. */
function textsIn(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.values(value).map(textsIn).join('\n');
}

describe('the payload codec', function () {
  this.timeout(90_000);
  let server: Awaited<ReturnType<typeof startOwnTemporal>>;
  const resources = new AsyncDisposableStack();
  const organizationId = randomUUID();
  const receiver = { answers: false, ends: [] as (() => void)[] };
  let client: Client;
  let tasks: TaskClient;
  let recorded: ReturnType<typeof createRecordedTasks>;

  before(async () => {
    server = await startOwnTemporal(resources);
    const { namespace } = server;
    const endpoint = { embeddedAddress: server.address, environment: {} };
    const connection = resources.adopt(await connectWorker(endpoint), (opened) => opened.close());
    recorded = createRecordedTasks(connection, namespace, dataConverter);
    const options = { cacheDir: bundles, shutdownGrace: 1 };
    const worker = await createWorker({
      connection,
      namespace,
      activities: activities(),
      dataConverter,
      ...options,
    });
    resources.adopt(worker, (running) => running.close());
    client = createClient(server.client.connection as Connection, server.namespace, dataConverter);
    tasks = clientWith(dataConverter);
  });
  after(() => resources.disposeAsync());

  /** The client of a process with these settings. */
  function clientWith(converter: DataConverter): TaskClient {
    const made = createTaskClient({
      client: createClient(server.client.connection as Connection, server.namespace, converter),
      secret: Buffer.from('secret'),
      leases: unlimited,
      workflowTaskTimeout: 10_000,
    });
    return resources.adopt(made, (closing) => closing.close());
  }

  /**
   * A receiver that is down at first; pages and turns with the secret in them; `/b` can't be
   * written.
   */
  function activities() {
    const fake = fakeActivities();
    const send = async () => {
      if (receiver.answers) return 204;
      throw new DomainError('CALLBACK_FAILED', 'Not today', {
        retryable: true,
        details: { status: 503 },
      });
    };
    const organizations = { callbackSecrets: async () => ['whsec_MDEyMzQ1Njc='] };
    const real = observeActivities(log, {
      sendCallback: createSendCallback({ organizations, callbacks: { send }, log }),
    });
    const generatePage: typeof fake.generatePage = async (argument) => {
      if (argument.item.targetPageSlug === '/b')
        throw ApplicationFailure.nonRetryable('No', 'LIMIT_EXCEEDED');
      return { ...(await fake.generatePage(argument)), texts: { s1: SECRET } };
    };
    const runAgentTurn: typeof fake.runAgentTurn = async (argument) => {
      const { turn } = await fake.runAgentTurn(argument);
      const isFirst =
        (Array.isArray(argument.turns) ? argument.turns.length : argument.turns.count) === 0;
      const asked = { question: SECRET, options: [SECRET] };
      if (argument.ask && isFirst)
        return { turn: { ...turn, text: SECRET }, digest: 'x', done: false, asked };
      if (!isFirst) await new Promise<void>((end) => receiver.ends.push(end));
      return { turn: { ...turn, text: SECRET }, digest: 'x', done: !isFirst };
    };
    return { ...fake, ...real, generatePage, runAgentTurn };
  }

  const startTask = (
    work: Parameters<TaskClient['start']>[0]['task']['work'],
    more: { callbackUrl?: string; ask?: 'allowed' } = {},
    by = tasks,
  ) =>
    by
      .start({
        task: { organizationId, siteId: 'site-1', publish: true, work, ...more },
        about: made,
        bodyHash: 'hash',
        path: '/',
      })
      .then(({ taskId }) => taskId);
  const pages = (...slugs: string[]) => ({
    type: 'generate_pages' as const,
    templatePageSlug: '/a',
    items: slugs.map((targetPageSlug) => ({ targetPageSlug, context: SECRET })),
  });
  const untilEnd = (taskId: string) =>
    until('the end of the task', async () => {
      const { view, events } = await tasks.follow(organizationId, taskId);
      return view.status === 'running' ? undefined : { view, events };
    });

  it('changes nothing in what is read from a finished task, its events and lists', async () => {
    const taskId = await startTask(pages('/x', '/y'));
    const { view, events } = await untilEnd(taskId);
    if (view.status !== 'completed') throw new Error(JSON.stringify(view));
    expect(view.output.pagesCreated.map(({ slug }) => slug)).to.deep.equal(['/x', '/y']);
    expect(events.at(-1)).to.include({ type: 'status', status: 'completed' });
    const listed = await until('the task in the list', async () => {
      const { tasks: found } = await tasks.list({
        organizationId,
        limit: 10,
        status: 'completed',
      });
      return found.find((task) => task.taskId === taskId);
    });
    expect(listed).to.include({ siteId: 'site-1', type: 'generate_pages', publish: true });
    expect(listed.createdAt).to.match(/^\d{4}-.*Z$/);
    expect(await untold(taskId)).to.equal(0);
  });

  it('lets a worker query the turns of a running task, whose progress can also be read', async () => {
    const taskId = await startTask({ type: 'prompt', prompt: SECRET });
    await until('the second turn', () => receiver.ends.length > 0);
    const [turn] = await recorded.turns(taskId, 1, new AbortController().signal);
    expect(turn!.text).to.equal(SECRET);
    expect(await tasks.read(organizationId, taskId)).to.deep.include({
      status: 'running',
      progress: { phase: 'working', steps: 1 },
    });
    for (const end of receiver.ends.splice(0)) end();
    expect((await untilEnd(taskId)).view.status).to.equal('completed');
  });

  it('encrypts questions and answers', async () => {
    const taskId = await startTask({ type: 'prompt', prompt: SECRET }, { ask: 'allowed' });
    const question = await until('the question', async () =>
      currentQuestion((await tasks.follow(organizationId, taskId)).view),
    );
    expect(question).to.deep.include({ question: SECRET, options: [SECRET] });
    await tasks.answer(organizationId, taskId, { answer: SECRET });
    await until('the second turn', () => receiver.ends.length > 0);
    for (const end of receiver.ends.splice(0)) end();
    const { events } = await untilEnd(taskId);
    expect(events.find(({ type }) => type === 'answer')).to.include({ answer: SECRET });
    expect(await untold(taskId)).to.equal(0);
  });

  it('reads what an old key encrypted, and names a missing key', async () => {
    const rotated = clientWith(converterOf(next, old));
    const taskId = await startTask(pages('/x'), {}, rotated);
    await untilEnd(taskId);
    expect(await keysIn(taskId)).to.have.members(['next', 'old']);
    for (const reader of [tasks, rotated]) {
      expect((await reader.request(organizationId, taskId)).input.work).to.deep.equal(pages('/x'));
      expect((await reader.read(organizationId, taskId)).status).to.equal('completed');
    }
    const off = clientWith({ payloadCodecs: [createPayloadCodec([old, next], false)] });
    const open = await startTask(pages('/x'), {}, off);
    expect(
      await until('the end', async () => {
        const { status } = await off.read(organizationId, open);
        return status === 'running' ? undefined : status;
      }),
    ).to.equal('completed');
    expect(await untold(open), 'the request is in plain text').to.be.greaterThan(0);
    const late = clientWith(converterOf(next));
    for (const read of [
      () => late.read(organizationId, taskId),
      () => late.request(organizationId, taskId),
      () => late.list({ organizationId, limit: 10 }),
    ])
      expect(await read().catch((error: unknown) => error))
        .to.include({ code: 'CONFIGURATION' })
        .and.have.property('message')
        .that.matches(/\bkey old\b.*\bSECRETS_KEYS\b/);
  });

  it('lets `npm run replay` read the histories and name the differing activity', async () => {
    const taskId = await startTask(pages('/x'));
    await untilEnd(taskId);
    const config = readConfig({
      TEMPORAL_ADDRESS: server.address,
      TEMPORAL_NAMESPACE: server.namespace,
    });
    const said = async (bundle: Parameters<typeof replayAll>[0], last: number) => {
      const found: (string | undefined)[] = [];
      const query = `OrganizationId = '${organizationId}' AND ExecutionStatus = 'Completed'`;
      for await (const { divergence } of replayAll(
        bundle,
        historiesOf(query, config, { last, dataConverter }),
        dataConverter,
      ))
        found.push(divergence?.step);
      return found;
    };
    const now = await workflowBundle(bundles);
    await until('two histories', async () => (await said(now, 2)).length === 2);
    expect(await said(now, 2)).to.deep.equal([undefined, undefined]);
    expect(await said(now, 1)).to.deep.equal([undefined]);
    const blind = historiesOf(`OrganizationId = '${organizationId}'`, config).next();
    expect(await blind.catch((error: unknown) => error)).to.include({ code: 'INVALID_INPUT' });
    const other = await bundleWorkflows(
      fileURLToPath(new URL('../replay/altered/waitFirst.ts', import.meta.url)),
    );
    expect((await said(other, 1))[0]).to.match(/^readSite "Read /);
  });

  /** The ids of the keys that encrypted a task's history. */
  async function keysIn(taskId: string): Promise<string[]> {
    const { events } = await client.workflow.getHandle(taskId).fetchHistory();
    const ids = new Set<string>();
    JSON.stringify(events, (name, value: unknown) => {
      if (name === 'encryption-key-id') ids.add(Buffer.from(value as string, 'base64').toString());
      return value;
    });
    return [...ids];
  }

  /** How often the secret stands in a task's history as Temporal keeps it. */
  async function untold(taskId: string): Promise<number> {
    const { events } = await client.workflow.getHandle(taskId).fetchHistory();
    const texts = textsIn(events);
    expect(texts).to.include('binary/encrypted');
    return texts.split(SECRET).length - 1;
  }
});
