// Takes long: tasks that Temporal stops, and ten requests at once.
import { expect } from 'chai';
import type { Client } from '@temporalio/client';
import { endServices, type Reply, type Service, sharedService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { until } from '../helpers/until.ts';
import { specified } from '../helpers/views.ts';

const unclear = { prompt: 'Make it pop' };

describe('the API of a running service', function () {
  this.timeout(120_000);
  let service: Service;
  before(async () => void (service = await sharedService()));
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
  });

  describe('in the Temporal UI', () => {
    let client: Client;
    let site: TeamSite;
    before(async () => {
      client = await connectTemporal(service);
      site = await TeamSite.register(service, 'operators');
    });
    after(() => client.connection.close());

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
