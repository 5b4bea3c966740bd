import { expect } from 'chai';
import type { TaskActivities } from '../../activities/index.ts';
import { createFairModelCalls } from '../../src/agents/model/calls/fairModelCalls.ts';
import { activityQueues } from '../../src/contract/task.ts';
import { createWorker } from '../../src/temporal/worker/worker.ts';
import {
  bundles,
  fakeActivities,
  promptTask,
  startTask,
  startTimeSkipping,
  type TimeSkipping,
} from '../helpers/temporal.ts';
import { until } from '../helpers/until.ts';

describe("the task queues of a task's activities", function () {
  this.timeout(240_000);
  let server: TimeSkipping;
  before(async () => (server = await startTimeSkipping()));
  after(() => server?.close());

  /** The workers of a service process while `use` runs. */
  async function withService(
    use: () => Promise<unknown>,
    activities: Partial<TaskActivities> = {},
  ) {
    const connection = server.env.nativeConnection;
    const options = { connection, namespace: 'default', cacheDir: bundles, shutdownGrace: 1 };
    const workers = await createWorker({
      ...options,
      activities: { ...fakeActivities(), ...activities },
    });
    try {
      await use();
    } finally {
      await workers.close();
    }
  }
  async function queuesOf(taskId: string) {
    const { events } = await server.env.client.workflow.getHandle(taskId).fetchHistory();
    const scheduled =
      events?.flatMap(({ activityTaskScheduledEventAttributes: step }) => step ?? []) ?? [];
    return scheduled.map(({ activityType, taskQueue }) => [activityType?.name, taskQueue?.name]);
  }
  const rest = [
    ['runAgentTurn', activityQueues.rules],
    ['commitChanges', activityQueues.sites],
    ['deployPreview', activityQueues.sites],
    ['sendCallback', activityQueues.callbacks],
  ];
  const task = () => promptTask({ callbackUrl: 'https://receiver.example/done' });

  it('are different for sites, models and callbacks', async () => {
    const handle = await startTask(server, task());
    await withService(() => handle.result());
    expect(await queuesOf(handle.workflowId)).to.deep.equal([
      ['readSite', activityQueues.sites],
      ...rest,
    ]);
  });

  it('let no hanging model delay the rules and callbacks, and start no more model calls', async () => {
    const { promise: held, resolve: open } = Promise.withResolvers<void>();
    const [begun, fakes] = [[] as string[], fakeActivities()];
    const calls = createFairModelCalls({ atOnce: 3 });
    const { signal } = new AbortController();
    const runAgentTurn: TaskActivities['runAgentTurn'] = async (argument) => {
      if (argument.model === undefined) return fakes.runAgentTurn(argument);
      const { taskId, organizationId } = argument.task;
      const call = async () => {
        begun.push(taskId);
        await held;
        return fakes.runAgentTurn(argument);
      };
      return calls.run(organizationId, call, signal);
    };
    const byModel = () => startTask(server, promptTask({ model: 'openai/gpt-test' }));
    // unlike `result()`, it skips no time, in which the held calls would end
    const completed = (one: Awaited<ReturnType<typeof byModel>>) =>
      until('the end of a task', async () => (await one.describe()).status.name === 'COMPLETED');
    await withService(
      async () => {
        const slow = await Promise.all([byModel(), byModel(), byModel(), byModel()]);
        await until('two calls', () => begun.length === 2);
        const byRules = await startTask(server, task());
        await completed(byRules);
        expect((await queuesOf(byRules.workflowId)).slice(1)).to.deep.equal(rest);
        expect(begun).to.have.length(2);
        open();
        await Promise.all(slow.map(completed));
        expect(new Set(begun)).to.deep.equal(new Set(slow.map(({ workflowId }) => workflowId)));
      },
      { runAgentTurn },
    );
  });
});
