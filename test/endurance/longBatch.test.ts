// Takes long: a batch of 3,000 rows, whose history is replaced several times.
import { expect } from 'chai';
import type { TaskActivities } from '../../activities/index.ts';
import {
  BATCH_WORKFLOW,
  type BatchOutcome,
  RESUME_SIGNAL,
} from '../../src/contract/batches/batch.ts';
import { workerQueue, TASK_QUEUE } from '../../src/contract/task.ts';
import { preferredWorkerName } from '../../src/temporal/workerNames.ts';
import { randomTaskId } from '../../src/temporal/tasks/taskId.ts';
import { readBuildId } from '../../src/temporal/worker/workerBuild.ts';
import { createWorker } from '../../src/temporal/worker/worker.ts';
import { FakeBatch } from '../helpers/fakeBatch.ts';
import { startOwnTemporal } from '../helpers/ownTemporal.ts';
import { bundles, fakeActivities } from '../helpers/temporal.ts';
import { until } from '../helpers/until.ts';

const ROWS = 3_000;
const organizationId = '11111111-1111-4111-8111-111111111111';
const siteId = '22222222-2222-4222-8222-222222222222';

describe('a batch of 3,000 rows', function () {
  this.timeout(600_000);
  const shared = new AsyncDisposableStack();
  after(() => shared.disposeAsync());

  it('continues with new histories, and returns to its preferred worker after one delay', async () => {
    const temporal = await startOwnTemporal(shared);
    const { client, namespace } = temporal;
    const home = preferredWorkerName('/late');
    const batch = new FakeBatch(ROWS);
    const activities: TaskActivities = { ...fakeActivities(), ...batch.activities() };
    const startWorker = async (at: string) => {
      const connection = await temporal.connect();
      const common = { connection, namespace, cacheDir: bundles, shutdownGrace: 1 };
      shared.adopt(await createWorker({ ...common, home: at, activities }), (worker) =>
        worker.close(),
      );
    };
    await startWorker(preferredWorkerName('/other'));
    const taskId = randomTaskId();
    const createdAt = '2026-01-01T00:00:00.000Z';
    const input = { taskId, organizationId, siteId, createdAt, preferredWorker: home };
    const { signaledRunId: first } = await client.workflow.signalWithStart(BATCH_WORKFLOW, {
      workflowId: taskId,
      taskQueue: TASK_QUEUE,
      signal: RESUME_SIGNAL,
      args: [input],
      searchAttributes: { OrganizationId: [organizationId], SiteId: [siteId] },
    });
    await until('the first step, which the home did not begin', () => batch.calls.length > 0);
    await startWorker(home);

    const end = (await client.workflow.getHandle(taskId).result()) as BatchOutcome;
    expect(end).to.include({ status: 'completed' });
    expect(end.rows).to.include({ published: ROWS });

    const queue = workerQueue(home, await readBuildId());
    const historyOf = async (runId: string) =>
      (await client.workflow.getHandle(taskId, runId).fetchHistory()).events ?? [];
    const runs: { events: number; late: number; queues: Set<string> }[] = [];
    let runId: string | null | undefined = first;
    while (runId) {
      const events: Awaited<ReturnType<typeof historyOf>> = await historyOf(runId);
      const queues = events.flatMap(
        ({ activityTaskScheduledEventAttributes: step }) => step?.taskQueue?.name ?? [],
      );
      const late = events.filter((event) => event.activityTaskTimedOutEventAttributes).length;
      runs.push({ events: events.length, late, queues: new Set(queues) });
      runId = events.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
    }
    expect(runs.length).to.be.at.least(3);
    const [late, ...others] = runs;
    expect(late!.late).to.equal(1);
    for (const one of others) expect([...one.queues]).to.deep.equal([queue]);
    // a run ends with the window that fills its history: three events and a few for each row
    for (const { events } of runs) expect(events).to.be.below(2_500);
  });
});
