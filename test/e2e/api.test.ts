import { expect } from 'chai';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { answerOf } from '../helpers/operator.ts';
import { endServices, type Reply, type Service, sharedService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { until } from '../helpers/until.ts';
import { outputOf, specified } from '../helpers/views.ts';

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

    it('gives the first answer again, whatever the order of the fields and however far the task is', async () => {
      const first = await post('order-1', { ...unclear, publish: false });
      expect(first.status).to.equal(200);
      expect((await post('order-1', { publish: false, ...unclear })).json).to.deep.equal(
        first.json,
      );
      await service.waitForTask((first.json as { taskId: string }).taskId);
      expect((await post('order-1', unclear)).json).to.deep.equal(first.json);
    });

    it('makes one task of ten requests at once', async () => {
      const { siteId } = await TeamSite.register(service, 'at-once');
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => post('at-once', { ...unclear, siteId })),
      );
      const [{ json: first }] = replies as [Reply];
      for (const { status, json } of replies)
        expect({ status, json }).to.deep.equal({ status: 200, json: first });
      await service.waitForTask((first as { taskId: string }).taskId);
      const count = async () => (await temporal.workflow.count(`SiteId = "${siteId}"`)).count;
      await until('the one task to be listed', async () => (await count()) > 0);
      expect(await count()).to.equal(1);
    });

    it('is answered with 422 for another body', async () => {
      await post('two-bodies', unclear);
      for (const body of [{ prompt: 'Make it shine' }, { ...unclear, publish: true }])
        expect((await post('two-bodies', body)).status).to.equal(422);
    });

    it('is answered with 422 for another path, which the answer names', async () => {
      const site = await TeamSite.register(service, 'two-paths');
      const [first, second] = [
        await site.run(citiesBody(['Lisbon'])),
        await site.run(citiesBody(['Porto'])),
      ];
      const publish = ({ taskId }: { taskId: string }, idempotencyKey: string) =>
        service.request('POST', `/api/v1/agent/tasks/${taskId}/publish`, {
          headers: { 'idempotency-key': idempotencyKey },
        });
      await post('two-paths', unclear);
      expect((await publish(first, 'once')).status).to.equal(200);
      const otherPath = '{"error":"Idempotency-Key was used before with another path"}';
      const otherBody = '{"error":"Idempotency-Key was used before with another request body"}';
      const answers = [
        await publish(first, 'two-paths'),
        await publish(second, 'once'),
        await post('once', unclear),
      ];
      expect(answers.map(({ status, text }) => [status, text])).to.deep.equal(
        answers.map(() => [422, otherPath]),
      );
      expect((await post('two-paths', { prompt: 'Make it shine' })).text).to.equal(otherBody);
    });

    it('is as many keys as there are organizations', async () => {
      const site = await answerOf(
        service.dataDir,
        'site',
        'create',
        '--name',
        'Theirs',
        '--organization',
        other.organizationId,
        '--repository',
        new URL(`file://${service.dataDir}/demo/site.git`).pathname,
      );
      const ours = await post('shared', unclear);
      const theirs = await post('shared', { ...unclear, siteId: site.siteId }, key(other.apiKey));
      expect([ours.status, theirs.status]).to.deep.equal([200, 200]);
      expect(theirs.json.taskId).to.not.equal(ours.json.taskId);
    });

    it('refuses a key that is none', async () => {
      for (const wrong of ['two words', 'x'.repeat(256)])
        expect((await post(wrong, unclear)).status).to.equal(400);
    });
  });

  it('gives externalId back on the pages whose item had one', async () => {
    const site = await TeamSite.register(service, 'external');
    const body = citiesBody(['Lisbon', 'Porto']);
    const items = [{ ...body.items[0]!, externalId: 'CRM-17 / å' }, body.items[1]!];
    const view = await site.run({ ...body, items });
    const pages = view.status === 'completed' ? view.output.pagesCreated : [];
    expect(pages.map(({ externalId }) => externalId)).to.deep.equal(['CRM-17 / å', undefined]);
    expect(pages[1]).to.not.have.property('externalId');
  });

  it("answers as for unknown ones where a site or a task is another organization's", async () => {
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

  it('refuses a site without a repository, and a viewer', async () => {
    const owner = ['--organization', service.demo.organizationId];
    const { siteId } = await answerOf(
      service.dataDir,
      'site',
      'create',
      ...owner,
      '--name',
      'Empty',
    );
    expect(await service.postTask({ ...unclear, siteId })).to.deep.include({
      status: 400,
      json: { error: 'Site is missing repository information' },
    });
    const { apiKey } = await answerOf(
      service.dataDir,
      'key',
      'create',
      ...owner,
      '--role',
      'viewer',
    );
    expect((await service.postTask(unclear, key(apiKey as string))).status).to.equal(403);
  });

  it('takes a revoked key at once no longer', async () => {
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

    it('a task is found by its attributes, and tells its story', async () => {
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
      expect(await description.staticSummary()).to.match(/^.+: 2 pages from \/locations\/austin$/);
      expect(await description.staticDetails())
        .to.include('`/locations/lisbon`')
        .and.include('publish: true');
      expect(await currentDetails(handle)).to.match(/^\| step \| state \|\n/);
      expect(await currentDetails(handle))
        .to.include('| page /locations/porto | written |')
        .and.include('| status | completed |');
      expect(await summaries(handle)).to.deep.equal([
        'readSite: Read operators and its template /locations/austin',
        'generatePage: Write /locations/lisbon for operators',
        'generatePage: Write /locations/porto for operators',
        'commitChanges: Commit 2 page(s) to operators',
        'deployPreview: Deploy the preview of # of operators',
        'publish: Merge into the production branch of operators and push',
        'deployProduction: Deploy # of operators to production',
      ]);
    });

    it('a failed task is found by its status', async () => {
      const view = await site.run(unclear);
      const handle = client.workflow.getHandle(view.taskId);
      await handle.result().then(
        () => expect.fail('the workflow succeeded'),
        (error: Error) =>
          expect(String((error.cause as Error).message)).to.equal(
            view.status === 'failed' && view.errorMessage,
          ),
      );
      const { status, searchAttributes } = await handle.describe();
      expect([status.name, searchAttributes['TaskStatus']]).to.deep.equal(['FAILED', ['failed']]);
      const query = `SiteId = "${site.siteId}" AND TaskStatus = "failed"`;
      await until(
        'the failed task in the list',
        async () => (await client.workflow.count(query)).count === 1,
      );
    });

    for (const [action, errorMessage] of [
      ['terminate', 'Task was terminated'],
      ['cancel', 'Task was cancelled'],
    ] as const)
      it(`${action} before publishing ends the task as failed: ${errorMessage}`, async () => {
        const gate = site.gate('refs/agent-tasks/');
        const taskId = await site.create(citiesBody(['Ghent'], { publish: true }));
        await gate.arrived();
        await client.workflow.getHandle(taskId)[action]();
        const view = await service.waitForTask(taskId);
        gate.open();
        expect(specified(view)).to.deep.equal({ taskId, status: 'failed', errorMessage });
        expect(await service.readTask(taskId)).to.deep.equal(view);
        expect(site.files()).to.not.include('locations/ghent.html');
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
