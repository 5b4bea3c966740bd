import { expect } from 'chai';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { answerOf } from '../helpers/operator.ts';
import { endServices, type Service, sharedService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { outputOf } from '../helpers/views.ts';

const key = (apiKey: string) => ({ authorization: `Bearer ${apiKey}` });
const unclear = { prompt: 'Make it pop' };

/** Another organization with a key, made by operator commands while the service runs. */
async function newcomer({ dataDir }: Service, name: string) {
  const { organizationId } = await answerOf(dataDir, 'organization', 'create', '--name', name);
  const owner = ['--organization', organizationId as string];
  const { apiKey } = await answerOf(dataDir, 'key', 'create', ...owner, '--role', 'member');
  return { organizationId: organizationId as string, apiKey: apiKey as string };
}

describe('the API of a running service', function () {
  this.timeout(120_000);
  let service: Service;
  let other: { organizationId: string; apiKey: string };
  before(async () => {
    service = await sharedService();
    other = await newcomer(service, 'Other');
  });
  after(async function () {
    await endServices(this.currentTest);
    removeTeamSites();
  });

  describe('Idempotency-Key', () => {
    const post = (idempotencyKey: string, body: object, headers = {}) =>
      service.postTask(body, { 'idempotency-key': idempotencyKey, ...headers });
    let temporal: Client;
    before(async () => void (temporal = await connectTemporal(service)));
    after(() => temporal.connection.close());

    it('returns the first answer again, whatever the order of the fields and the progress of the task', async () => {
      const first = await post('order-1', { ...unclear, publish: false });
      expect(first.status).to.equal(200);
      expect((await post('order-1', { publish: false, ...unclear })).json).to.deep.equal(
        first.json,
      );
      await service.waitForTask((first.json as { taskId: string }).taskId);
      expect((await post('order-1', unclear)).json).to.deep.equal(first.json);
    });

    it('is answered with 422 for another body', async () => {
      await post('two-bodies', unclear);
      for (const body of [{ prompt: 'Make it shine' }, { ...unclear, publish: true }])
        expect((await post('two-bodies', body)).status).to.equal(422);
    });
  });

  it("answers for another organization's site or task as for an unknown one", async () => {
    const site = await service.postTask(unclear, key(other.apiKey));
    expect(site).to.deep.include({ status: 404, json: { error: 'Site not found' } });
    const taskId = await service.createTask(unclear);
    const read = (headers?: Record<string, string>, id = taskId) =>
      service.request('GET', `/api/v1/agent/tasks/${id}`, { ...(headers && { headers }) });
    for (const reply of [
      await read(key(other.apiKey)),
      await read(undefined, `bg-${'0'.repeat(22)}`),
    ])
      expect(reply).to.deep.include({ status: 404, json: { error: 'Task not found' } });
    await service.waitForTask(taskId);
    expect((await read(key(other.apiKey))).status).to.equal(404);
    expect((await read()).status).to.equal(200);
  });

  it('rejects a key as soon as it is revoked', async () => {
    const made = await answerOf(
      service.dataDir,
      'key',
      'create',
      '--organization',
      other.organizationId,
      '--role',
      'member',
    );
    const read = () =>
      service.request('GET', `/api/v1/agent/tasks/bg-${'0'.repeat(22)}`, {
        headers: key(made.apiKey as string),
      });
    expect((await read()).status).to.equal(404);
    await answerOf(service.dataDir, 'key', 'revoke', '--key', made.keyId as string);
    const { status, json, headers } = await read();
    expect({ status, json }).to.deep.equal({ status: 401, json: { error: 'Unauthorized' } });
    expect(headers['www-authenticate']).to.match(/^Bearer/);
  });

  describe('in the Temporal UI', () => {
    let client: Client;
    let site: TeamSite;
    before(async () => {
      client = await connectTemporal(service);
      site = await TeamSite.register(service, 'operators');
    });
    after(() => client.connection.close());

    it('finds a task by its attributes, and shows its story', async () => {
      const body = citiesBody(['Lisbon', 'Porto'], { publish: true });
      const view = await site.run(body);
      const handle = client.workflow.getHandle(view.taskId);
      await handle.result();
      const { searchAttributes, memo, raw, status, ...description } = await handle.describe();
      expect(status.name).to.equal('COMPLETED');
      expect(searchAttributes).to.deep.include({
        OrganizationId: [service.demo.organizationId],
        SiteId: [site.siteId],
        TaskType: ['generate_pages'],
        TaskStatus: ['completed'],
        Publish: [true],
      });
      expect(memo).to.have.all.keys(
        'bodyHash',
        'createdAt',
        'events',
        'finished',
        'path',
        'template',
        'title',
      );
      const { warnings, notes = [], ...output } = outputOf(view);
      expect(warnings).to.deep.equal(notes.map(({ text }) => text));
      const finished = memo!['finished'] as {
        status: string;
        output: { notes: { text: string }[] };
      };
      expect(finished.status).to.equal('completed');
      expect(finished.output).to.deep.include(output);
      expect(finished.output.notes.map(({ text }) => text)).to.deep.equal(warnings);
      expect(raw.workflowExecutionInfo!.priority!.fairnessKey).to.equal(
        service.demo.organizationId,
      );
      expect(await description.staticSummary()).to.match(/^.+: 2 .* \/locations\/austin$/);
      expect(await description.staticDetails())
        .to.include('`/locations/lisbon`')
        .and.include('publish: true');
      expect(await currentDetails(handle)).to.match(/^\| item \| state \|\n/);
      expect(await currentDetails(handle))
        .to.include('| page /locations/porto | written |')
        .and.include('| status | completed |');
      const named = [
        /^readSite: .*\/locations\/austin\b/,
        /^generatePage: .*\/locations\/lisbon\b/,
        /^generatePage: .*\/locations\/porto\b/,
        /^commitChanges: .*\b2 page/,
        /^deployPreview: .* # /,
        /^publish: /,
        /^deployProduction: .* # /,
      ];
      const lines = await summaries(handle);
      expect(lines).to.have.length(named.length);
      for (const [i, line] of lines.entries())
        expect(line)
          .to.include(' operators ')
          .and.match(named[i]!)
          .and.match(/\b5 minutes\b/);
    });
  });
});

/** What the UI shows of a workflow as its current details. */
async function currentDetails(handle: WorkflowHandle): Promise<string> {
  const metadata = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails;
}

/** Activities in the order of the history, with their summaries; ids of commits as #. */
async function summaries(handle: WorkflowHandle): Promise<string[]> {
  const { events } = await handle.fetchHistory();
  return events!.flatMap(({ activityTaskScheduledEventAttributes: scheduled, userMetadata }) => {
    if (!scheduled) return [];
    const text = JSON.parse(Buffer.from(userMetadata!.summary!.data!).toString()) as string;
    return [`${scheduled.activityType!.name}: ${text.replace(/\b[0-9a-f]{10}\b/, '#')}`];
  });
}
