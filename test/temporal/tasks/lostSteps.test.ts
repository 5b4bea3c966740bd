import type { Client } from '@temporalio/client';
import { type NativeConnection, Worker } from '@temporalio/worker';
import { expect } from 'chai';
import {
  activityQueues,
  TASK_QUEUE,
  TASK_WORKFLOW,
  type TaskInput,
} from '../../../src/contract/task.ts';
import { preferredWorkerName, workerIdentity } from '../../../src/temporal/workerNames.ts';
import { failLostActivities } from '../../../src/temporal/tasks/lostActivities.ts';
import { taskStartOptions } from '../../../src/temporal/tasks/startOptions.ts';
import { workflowBundle } from '../../../src/temporal/worker/workerBuild.ts';
import { startOwnTemporal } from '../../helpers/ownTemporal.ts';
import { bundles, promptTask } from '../../helpers/temporal.ts';
import { until } from '../../helpers/until.ts';
import { made } from '../../helpers/about.ts';

interface Timestamp {
  seconds?: unknown;
  nanos?: number | null;
}
const msOf = (time: Timestamp | null | undefined) =>
  Number(time?.seconds) * 1_000 + (time?.nanos ?? 0) / 1e6;
const sinks = { tasks: { phaseEnded: { fn: () => undefined }, ended: { fn: () => undefined } } };

describe('activities of a killed process', function () {
  this.timeout(120_000);
  const resources = new AsyncDisposableStack();
  let connection: NativeConnection;
  let client: Client;
  let namespace: string;

  before(async () => {
    ({ connection, client, namespace } = await startOwnTemporal(resources));
    const bundle = await workflowBundle(bundles);
    const options = { connection, namespace, taskQueue: TASK_QUEUE, workflowBundle: bundle, sinks };
    const worker = await Worker.create(options);
    const run = worker.run();
    resources.defer(async () => {
      worker.shutdown();
      await run;
    });
  });
  after(() => resources.disposeAsync());

  const start = (task: TaskInput) =>
    client.workflow.start(
      TASK_WORKFLOW,
      taskStartOptions(task, {
        about: made,
        bodyHash: 'hash',
        taskQueue: TASK_QUEUE,
        workflowTaskTimeout: 10_000,
      }),
    );
  /** Takes a step as a worker does. Nobody ever answers for it. */
  const take = async (identity = 'dead', queue: string = activityQueues.sites) => {
    const taskQueue = { name: queue };
    for (;;) {
      const step = await connection.workflowService.pollActivityTaskQueue({
        namespace,
        taskQueue,
        identity,
      });
      if (step.taskToken.length > 0) return step;
    }
  };
  const pendingIn = async (task: TaskInput) => {
    const { raw } = await client.workflow.getHandle(task.taskId).describe();
    return raw.pendingActivities?.[0];
  };
  const notes = {
    payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{"n":1}') }],
  };

  it('are retried at once with their notes, while activities of no process stay', async () => {
    const [first, second, queued] = [promptTask(), promptTask(), promptTask()];
    await start(first);
    const { taskToken, heartbeatTimeout } = await take();
    expect(Number(heartbeatTimeout?.seconds)).to.equal(10);
    await connection.workflowService.recordActivityTaskHeartbeat({
      namespace,
      taskToken,
      details: notes,
    });
    await start(second);
    await take();
    await start(queued);
    await until('the third step', async () => (await pendingIn(queued)) !== undefined);
    const query = "ExecutionStatus = 'Running'";
    await until(
      'all three to be listed',
      async () => (await client.workflow.count(query)).count === 3,
    );

    expect(await failLostActivities(connection, namespace)).to.equal(2);
    expect((await pendingIn(queued))!.attempt).to.equal(1);
    const lostAt = new Map<string, number>();
    for (const task of [first, second]) {
      const { attempt, lastFailure, lastAttemptCompleteTime } = (await pendingIn(task))!;
      expect(attempt).to.equal(2);
      expect(lastFailure!.message).to.equal(
        'An activity of the task was interrupted, because the service stopped',
      );
      lostAt.set(task.taskId, msOf(lastAttemptCompleteTime));
    }
    const again = [await take(), await take(), await take()];
    const retried = again.filter(({ attempt }) => attempt === 2);
    expect(retried.map(({ workflowExecution }) => workflowExecution!.workflowId)).to.have.members([
      first.taskId,
      second.taskId,
    ]);
    for (const { workflowExecution, currentAttemptScheduledTime } of retried)
      // the policy would wait for a second
      expect(
        msOf(currentAttemptScheduledTime) - lostAt.get(workflowExecution!.workflowId!)!,
      ).to.be.lessThan(900);
    const told = retried.find(
      ({ workflowExecution }) => workflowExecution!.workflowId === first.taskId,
    )!;
    expect(Buffer.from(told.heartbeatDetails!.payloads![0]!.data!).toString()).to.equal('{"n":1}');
    expect(await failLostActivities(connection, namespace)).to.equal(3);

    const third = [await take(), await take(), await take()].filter(({ attempt }) => attempt === 3);
    expect(third).to.have.length(2);
    expect(await failLostActivities(connection, namespace)).to.equal(3);
    const { attempt, lastAttemptCompleteTime, nextAttemptScheduleTime } = (await pendingIn(first))!;
    expect(attempt).to.equal(4);
    // what the policy says after three attempts
    expect(msOf(nextAttemptScheduleTime) - msOf(lastAttemptCompleteTime)).to.be.closeTo(4_000, 100);
  });

  it('wait for the promised time if they deliver a callback', async () => {
    const task = { ...promptTask(), callbackUrl: 'https://receiver.example/' };
    await start(task);
    const { taskToken } = await take();
    const failure = {
      message: 'no',
      applicationFailureInfo: { type: 'GIT_FAILED', nonRetryable: true },
    };
    await connection.workflowService.respondActivityTaskFailed({ namespace, taskToken, failure });
    await take('dead', activityQueues.callbacks);
    const query = `WorkflowId = '${task.taskId}' AND ExecutionStatus = 'Running'`;
    await until('it to be listed', async () => (await client.workflow.count(query)).count === 1);
    await failLostActivities(connection, namespace);
    const { attempt, lastAttemptCompleteTime, nextAttemptScheduleTime } = (await pendingIn(task))!;
    expect(attempt).to.equal(2);
    expect(msOf(nextAttemptScheduleTime) - msOf(lastAttemptCompleteTime)).to.be.closeTo(5_000, 100);
  });

  it('do not include those of another service that uses the server as an external one', async () => {
    const task = promptTask();
    await start(task);
    let identity = '';
    while (!identity) {
      const step = await take(workerIdentity(preferredWorkerName('/data/other')));
      if (step.workflowExecution?.workflowId === task.taskId)
        identity = (await pendingIn(task))!.lastWorkerIdentity!;
    }
    expect(identity).to.include(' home:');
    const query = `WorkflowId = '${task.taskId}' AND ExecutionStatus = 'Running'`;
    await until('it to be listed', async () => (await client.workflow.count(query)).count === 1);
    await failLostActivities(connection, namespace);
    expect((await pendingIn(task))!).to.include({ attempt: 1, lastWorkerIdentity: identity });
  });
});
