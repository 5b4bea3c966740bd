// Takes long: 40 tasks of one organization wait at a repository that hangs, and must all complete
// when it goes on.
import type { Client } from '@temporalio/client';
import { expect } from 'chai';
import { median } from '../../bench/measure.ts';
import { type HttpReceiver, startHttpReceiver } from '../helpers/httpReceiver.ts';
import { LOST, reasonsOf } from '../helpers/lostSteps.ts';
import { otherOrganization } from '../helpers/otherOrganization.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { citiesBody, removeTeamSites, TeamSite } from '../helpers/team/site.ts';
import { connectTemporal } from '../helpers/temporalClient.ts';
import { until } from '../helpers/until.ts';

const TASKS = 40;
const AT_ONCE = 10;
const RUNS = 3;
const ENDS_WITHIN_MS = 500_000;

describe(`beside ${TASKS} tasks of another organization`, function () {
  this.timeout(900_000);
  let service: Service;
  let receiver: HttpReceiver;
  let temporal: Client;
  let [theirs, ours]: TeamSite[] = [];
  let gate: ReturnType<TeamSite['gate']>;
  let taskIds: string[];
  let alone: number;
  before(async () => {
    // the first delivery of each task is acknowledged, the later ones hang
    receiver = await startHttpReceiver((path, n) =>
      path === '/theirs' && n > TASKS ? new Promise(() => {}) : 204,
    );
    service = await startService({ env: { CALLBACK_ALLOW_PRIVATE: 'true' } });
    temporal = await connectTemporal(service);
    theirs = await TeamSite.register(service, 'theirs');
    ours = await TeamSite.register(await otherOrganization(service), 'ours');
    gate = theirs.gate('refs/agent-tasks/');
    alone = await timeOfOurs('alone');
  });
  after(async function () {
    gate?.open();
    await temporal?.connection.close();
    await endServices(this.currentTest);
    await receiver?.close();
    removeTeamSites();
  });

  /** Waits until all of a task is over, its callback too. */
  const ended = (taskId: string) =>
    until(
      `the end of ${taskId}`,
      async () => (await temporal.workflow.getHandle(taskId).describe()).status.name !== 'RUNNING',
      ENDS_WITHIN_MS,
      20,
    );
  const linesOf = (ids: string[]) => {
    const wanted = new Set(ids);
    return service.launched.lines().filter(({ taskId }) => wanted.has(taskId as string));
  };

  /**
   * Prints how long our tasks take, from the request until the callback was acknowledged. @returns
   * milliseconds
   */
  async function timeOfOurs(when: string): Promise<number> {
    const times: number[] = [];
    for (let run = 0; run <= RUNS; run++) {
      const began = performance.now();
      await ended(
        await ours!.create({ ...citiesBody([`Town${run}`]), callbackUrl: receiver.url('/ours') }),
      );
      if (run > 0) times.push(performance.now() - began);
    }
    const ms = median(times);
    const ratio = alone === undefined ? '' : `, ${(ms / alone).toFixed(2)} times as long as alone`;
    console.log(`      one task ${when}: ${ms.toFixed(0)} ms (median of ${RUNS})${ratio}`);
    return ms;
  }

  const runningOfTheirs = async () =>
    (await temporal.workflow.count(`SiteId = '${theirs!.siteId}' AND ExecutionStatus = 'Running'`))
      .count;
  const notesOf = async (taskId: string) => {
    const { pendingActivities } = (await temporal.workflow.getHandle(taskId).describe()).raw;
    const data = pendingActivities?.[0]?.heartbeatDetails?.payloads?.[0]?.data;
    return data ? Buffer.from(data).toString() : undefined;
  };
  /** How many of their tasks say that they wait for the site. */
  async function countWaiting(): Promise<number> {
    const notes: unknown[] = [];
    for (const taskId of taskIds) notes.push(await notesOf(taskId));
    return notes.filter((text) => text === `{"waitsFor":"the site's turn"}`).length;
  }

  async function redeliver(taskId: string): Promise<void> {
    const path = `/api/v1/agent/tasks/${taskId}/callback/redeliver`;
    const { status, text } = await service.request('POST', path);
    expect(status, text).to.equal(202);
  }

  it('that wait at a site with a hanging push, a task completes', async () => {
    const body = { siteId: theirs!.siteId, callbackUrl: receiver.url('/theirs') };
    taskIds = [];
    while (taskIds.length < TASKS) {
      const cities = Array.from({ length: AT_ONCE }, (_, n) => `City${taskIds.length + n}`);
      const creations = cities.map((city) => theirs!.create({ ...citiesBody([city]), ...body }));
      taskIds.push(...(await Promise.all(creations)));
    }
    await gate.arrived();
    // those that came together hang together
    await until(
      'the others to say in Temporal what they wait for',
      async () => (await countWaiting()) >= TASKS - AT_ONCE,
      ENDS_WITHIN_MS,
      1_000,
    );
    await timeOfOurs(`while ${TASKS} wait at a push`);
    expect(linesOf(taskIds).filter(({ activity }) => activity === 'commitChanges')).to.deep.equal(
      [],
    );
  });

  it('complete when the push continues, because the waiting used up no attempt', async () => {
    gate.open();
    await until(
      'the end of theirs',
      async () => (await runningOfTheirs()) === 0,
      ENDS_WITHIN_MS,
      1_000,
    );
    const failed = linesOf(taskIds).filter(({ msg }) => msg === 'activity failed');
    expect(failed).to.deep.equal([]);
    const repeated = linesOf(taskIds).filter(({ attempt = 1 }) => attempt !== 1);
    for (const { taskId } of repeated)
      expect([...new Set(await reasonsOf(temporal, taskId as string))]).to.deep.equal([LOST]);
    for (const taskId of taskIds)
      expect(await service.readTask(taskId)).to.include({ status: 'completed' });
    await receiver.deliveries('/theirs', TASKS);
  });

  it('whose callbacks hang, a task completes, and its callback arrives', async () => {
    for (let at = 0; at < taskIds.length; at += AT_ONCE)
      await Promise.all(taskIds.slice(at, at + AT_ONCE).map(redeliver));
    await receiver.deliveries('/theirs', TASKS + taskIds.length);
    const delivered = () =>
      new Set(receiver.received('/ours').map(({ headers }) => headers['webhook-id'])).size;
    const before = delivered();
    await timeOfOurs(`while ${taskIds.length} callbacks hang`);
    expect(delivered()).to.equal(before + RUNS + 1);
  });
});
