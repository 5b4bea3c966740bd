// Takes long: a service of its own, whose runs an operator resets and pauses.
import type { Client } from '@temporalio/client';
import { expect } from 'chai';
import { tasksIn } from '../helpers/demoHistory.ts';
import { type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { until } from '../helpers/until.ts';
import { outputOf } from '../helpers/views.ts';
import { CANCELLED } from '../../workflows/failures.ts';

const WITHIN_MS = 120_000;
/** temporal.api.enums.v1.PendingActivityState */
const PAUSED = 4;

describe('a task whose run', function () {
  this.timeout(300_000);
  let service: Service;
  let receiver: HttpReceiver;
  let client: Client;
  let site: TeamSite;

  before(async () => {
    receiver = await startHttpReceiver(() => 204);
    service = await startService({ env: { CALLBACK_ALLOW_PRIVATE: 'true' } });
    client = await connectTemporal(service);
    site = await TeamSite.register(service, 'reset');
  });
  after(async function () {
    await client?.connection.close();
    await receiver?.close();
    await endServices(this.currentTest);
    removeTeamSites();
  });

  const create = (city: string) =>
    site.create(citiesBody([city], { publish: true, callbackUrl: receiver.url(`/${city}`) }));

  /** Resets a run to its first workflow task. @returns the id of the new run */
  async function reset(taskId: string): Promise<string> {
    const handle = client.workflow.getHandle(taskId);
    const [{ runId }, { events }] = [await handle.describe(), await handle.fetchHistory()];
    const decided = events!.find((one) => one.workflowTaskCompletedEventAttributes)!;
    const again: { runId: string } = await client.workflowService.resetWorkflowExecution({
      namespace: client.options.namespace,
      workflowExecution: { workflowId: taskId, runId },
      reason: 'An operator tries again',
      workflowTaskFinishEventId: decided.eventId!,
      requestId: `reset ${taskId}`,
    });
    return again.runId;
  }
  const commitsOf = async (taskId: string) =>
    (await tasksIn(site.remote, '--all', '--no-merges')).filter((one) => one === taskId).length;
  const sent = (city: string) =>
    receiver.received(`/${city}`).map(({ headers }) => headers['webhook-id']);

  it('is reset by an operator continues as after a kill: one commit, one publish, one callback', async () => {
    const gate = site.gate('refs/agent-tasks/');
    const taskId = await create('Vienna');
    await gate.arrived();
    const runId = await reset(taskId);
    expect((await service.readTask(taskId)).status).to.equal('running');
    gate.open();
    await client.workflow.getHandle(taskId, runId).result();
    const { pagesCreated } = outputOf(await service.waitForTask(taskId));
    expect(pagesCreated.map(({ publishedUrl }) => publishedUrl)).to.deep.equal([
      site.live('/locations/vienna'),
    ]);
    expect(await commitsOf(taskId)).to.equal(1);
    expect(sent('Vienna')).to.deep.equal([taskId]);
  });

  it('has a paused activity continues after the pause, and can be cancelled until then', async () => {
    const gate = site.gate('refs/agent-tasks/');
    const [goesOn, ends] = [await create('Graz'), await create('Wels')];
    await gate.arrived();
    const step = (workflowId: string) => ({
      namespace: client.options.namespace,
      execution: { workflowId },
      type: 'commitChanges',
      identity: 'an operator',
    });
    const stateOf = async (taskId: string) => {
      const { raw } = await client.workflow.getHandle(taskId).describe();
      const found = raw.pendingActivities?.find(
        (one) => one.activityType?.name === 'commitChanges',
      );
      return Number(found?.state ?? 0);
    };
    for (const taskId of [goesOn, ends]) {
      await until('the commit to begin', async () => (await stateOf(taskId)) !== 0, WITHIN_MS);
      await client.workflowService.pauseActivity(step(taskId));
      await until('its end', async () => (await stateOf(taskId)) === PAUSED, WITHIN_MS);
      expect((await service.readTask(taskId)).status).to.equal('running');
    }
    gate.open();
    const { status } = await service.request('POST', `/api/v1/agent/tasks/${ends}/cancel`);
    expect(status).to.equal(202);
    expect(await service.waitForTask(ends)).to.deep.include({
      status: 'failed',
      errorMessage: CANCELLED,
    });
    expect(await stateOf(goesOn)).to.equal(PAUSED);
    await client.workflowService.unpauseActivity(step(goesOn));
    expect((await service.waitForTask(goesOn)).status).to.equal('completed');
    expect(await commitsOf(goesOn)).to.equal(1);
  });
});
