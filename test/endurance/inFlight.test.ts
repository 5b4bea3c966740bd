// Takes long: 60 creations at once, so that the machine is busy for a while.
import { expect } from 'chai';
import { createPatiently } from '../helpers/createPatiently.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { until } from '../helpers/until.ts';

const LIMIT = 10;
const AT_ONCE = 60;

describe('tasks in flight of an organization', function () {
  this.timeout(300_000);
  let service: Service;
  let site: TeamSite;
  let held: { open(): void };
  let taskIds: string[];
  before(async () => {
    service = await startService({ env: { TASKS_IN_FLIGHT: String(LIMIT) } });
    site = await TeamSite.register(service, 'in-flight');
    held = site.gate('refs/agent-tasks/');
  });
  after(async function () {
    held?.open();
    await endServices(this.currentTest);
    removeTeamSites();
  });

  const post = (city: string, headers = {}) =>
    service.postTask({ siteId: site.siteId, ...citiesBody([city]) }, headers);
  const refusal = {
    error: `Too Many Requests: the organization has ${LIMIT} tasks in flight, its limit`,
  };

  it(`are never more than its limit, when ${AT_ONCE} are created at once`, async () => {
    const first = await post('first', { 'idempotency-key': 'first' });
    const more = await Promise.all(
      Array.from({ length: AT_ONCE - 1 }, (_, n) =>
        createPatiently((headers) => post(`city${n}`, headers)),
      ),
    );
    const replies = [first, ...more];
    taskIds = replies
      .filter(({ status }) => status === 200)
      .map(({ json }) => json.taskId as string);
    expect(taskIds).to.have.length(LIMIT);
    const refused = replies.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ status }) => status))).to.deep.equal(new Set([429]));
    expect(refused[0]!.json).to.deep.equal(refusal);
    expect(refused[0]!.headers['retry-after']).to.equal('5');
    const temporal = await connectTemporal(service);
    const query = `SiteId = '${site.siteId}' AND ExecutionStatus = 'Running'`;
    await until(
      'the tasks to be listed',
      async () => (await temporal.workflow.count(query)).count === LIMIT,
    );
    await temporal.connection.close();
  });

  it('refuse another one, and still answer a repetition', async () => {
    expect((await post('another')).status).to.equal(429);
    expect((await post('another', { 'idempotency-key': 'new' })).json).to.deep.equal(refusal);
    const again = await post('first', { 'idempotency-key': 'first' });
    expect([again.status, again.json.taskId]).to.deep.equal([200, taskIds[0]]);
    expect((await post('other', { 'idempotency-key': 'first' })).status).to.equal(422);
  });

  it('leave room as soon as some are done: for creations, and for publishing', async () => {
    held.open();
    await Promise.all(taskIds.map((taskId) => service.waitForTask(taskId)));
    const { status } = await until('a place', async () => {
      const reply = await post('late');
      return reply.status !== 429 && reply;
    });
    expect(status).to.equal(200);
    const gate = site.gate('refs/');
    const more = await Promise.all(Array.from({ length: LIMIT * 2 }, (_, n) => post(`more${n}`)));
    expect(more.some((reply) => reply.status === 429)).to.equal(true);
    const publish = await service.request('POST', `/api/v1/agent/tasks/${taskIds[0]}/publish`);
    gate.open();
    expect([publish.status, publish.json]).to.deep.equal([429, refusal]);
  });
});
