import type { Client } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { BATCH_WORKFLOW } from '../../src/contract/batches/batch.ts';
import {
  CLEAN_UP_WORKFLOW,
  activityQueues,
  TASK_QUEUE,
  TASK_WORKFLOW,
  type TaskInput,
} from '../../src/contract/task.ts';
import { scheduleCleanUp } from '../../src/temporal/cleanUpSchedule.ts';
import { createRunningTasks } from '../../src/temporal/tasks/runningTasks.ts';
import { taskStartOptions } from '../../src/temporal/tasks/startOptions.ts';
import { randomTaskId } from '../../src/temporal/tasks/taskId.ts';
import { createWorker } from '../../src/temporal/worker/worker.ts';
import { startOwnTemporal } from '../helpers/ownTemporal.ts';
import { bundles, fakeActivities, promptTask } from '../helpers/temporal.ts';
import { until } from '../helpers/until.ts';
import { unlimited } from '../helpers/leases.ts';
import { made } from '../helpers/about.ts';

const ID = 'agent-tasks-clean-up';

describe('the clean-up schedule', function () {
  this.timeout(120_000);
  const resources = new AsyncDisposableStack();
  let client: Client;
  let connection: NativeConnection;
  let namespace: string;
  /** What each batch was asked, and how many batches there are. */
  const asked: unknown[] = [];
  let batches = 1;
  before(async () => {
    ({ client, connection, namespace } = await startOwnTemporal(resources));
    const activities = {
      ...fakeActivities(),
      pruneSites: (argument: { after?: string }) => {
        const count = asked.push(argument);
        return Promise.resolve({
          last: count < batches ? `site-${count}` : null,
          sites: 2,
          removed: 3,
          failed: 1,
        });
      },
    };
    const worker = { connection, namespace, activities, cacheDir: bundles, shutdownGrace: 1 };
    resources.adopt(await createWorker(worker), (running) => running.close());
  });
  after(() => resources.disposeAsync());

  const handle = () => client.schedule.getHandle(ID);

  it('is created once, by whatever number of starting processes, and stays paused if an operator paused it', async () => {
    await Promise.all([1, 2, 3].map(() => scheduleCleanUp(connection, namespace)));
    await handle().pause('for now');
    await until('the pause', async () => (await handle().describe()).state.paused);
    await scheduleCleanUp(connection, namespace);
    const { state, spec, policies, action } = await handle().describe();
    expect(state).to.include({ paused: true, note: 'for now' });
    expect(spec.intervals).to.deep.equal([{ every: 3_600_000, offset: undefined }]);
    expect(policies.overlap).to.equal('SKIP');
    expect(action).to.include({ workflowType: CLEAN_UP_WORKFLOW, taskQueue: TASK_QUEUE });
    const ids: string[] = [];
    for await (const { scheduleId } of client.schedule.list()) ids.push(scheduleId);
    expect(ids).to.deep.equal([ID]);
  });

  it("goes through all sites in groups, in the sites' queue, in as many runs as it needs", async () => {
    [batches, asked.length] = [52, 0];
    await handle().trigger();
    const ended = await until('the end of the run', async () => {
      for await (const run of client.workflow.list({
        query: `WorkflowType = '${CLEAN_UP_WORKFLOW}'`,
      }))
        if (run.status.name === 'COMPLETED') return run;
      return undefined;
    });
    expect(asked).to.deep.equal([
      {},
      ...Array.from({ length: 51 }, (_, n) => ({ after: `site-${n + 1}` })),
    ]);
    const workflow = client.workflow.getHandle(ended.workflowId, ended.runId);
    expect(await workflow.result()).to.deep.equal({ sites: 104, removed: 156, failed: 52 });
    const { events } = await workflow.fetchHistory();
    const steps = events?.flatMap(({ activityTaskScheduledEventAttributes: step, userMetadata }) =>
      step
        ? [
            [
              step.taskQueue?.name,
              step.priority?.priorityKey,
              /\d+/.exec(String(userMetadata?.summary?.data))?.[0],
            ],
          ]
        : [],
    );
    expect(steps, 'the second run').to.deep.equal(
      [100, 102].map((sites) => [activityQueues.sites, 5, String(sites)]),
    );
  });

  describe('createRunningTasks(connection, namespace)', () => {
    const start = async (task: TaskInput) => {
      // in a queue without a worker: they go on running
      const options = taskStartOptions(task, {
        about: made,
        bodyHash: 'h',
        taskQueue: 'nobody',
        workflowTaskTimeout: 2_000,
      });
      await client.workflow.start(TASK_WORKFLOW, options);
      return task.taskId;
    };

    const startBatch = async (siteId: string) => {
      const { organizationId } = promptTask();
      const attributes = { OrganizationId: [organizationId], SiteId: [siteId] };
      const handle = await client.workflow.start(BATCH_WORKFLOW, {
        taskQueue: 'nobody',
        workflowId: randomTaskId(),
        searchAttributes: attributes,
      });
      return handle.workflowId;
    };

    it('lists by site the running tasks and batches, and the results that they build on', async () => {
      const [siteId, other, empty] = [randomUUID(), randomUUID(), randomUUID()];
      const result = (taskId: string) => ({ taskId, base: 'b', commit: 'c', root: 'b' });
      const plain = await start(promptTask({ siteId }));
      const onto = await start(promptTask({ siteId, baseTask: result('bg-below') }));
      const work = {
        type: 'publish' as const,
        name: 'Ten cities',
        result: result('bg-published'),
        externalIds: {},
        ownPages: [],
        notes: [],
      };
      const publish = await start(promptTask({ siteId, work }));
      const batch = await startBatch(siteId); // its lease may be gone
      const elsewhere = await start(promptTask({ siteId: other }));
      const ended = await start(promptTask({ siteId }));
      await client.workflow.getHandle(ended).terminate();
      const of = createRunningTasks({ connection, namespace, leases: unlimited });
      const wanted = [plain, onto, publish, batch, 'bg-below', 'bg-published'];
      const found = await until('the list', async () => {
        const running = await of([siteId, other, empty]);
        return running.get(siteId)?.size === wanted.length && running.get(other)?.size === 1
          ? running
          : undefined;
      });
      expect([...found.get(siteId)!]).to.have.members(wanted);
      expect([[...found.get(other)!], [...found.get(empty)!]]).to.deep.equal([[elsewhere], []]);
      expect(await of([])).to.deep.equal(new Map());
    });
  });
});
