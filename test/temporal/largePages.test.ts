import { expect } from 'chai';
import type { TaskActivities } from '../../activities/index.ts';
import { limits, TASK_QUEUE, TASK_WORKFLOW } from '../../src/contract/task.ts';
import type { OutcomeWithEvents } from '../../src/contract/outcome.ts';
import { taskStartOptions } from '../../src/temporal/tasks/startOptions.ts';
import { createRecordedTasks } from '../../src/temporal/tasks/recordedTasks.ts';
import { createWorker } from '../../src/temporal/worker/worker.ts';
import { startOwnTemporal } from '../helpers/ownTemporal.ts';
import { bundles, fakeActivities, generateTask } from '../helpers/temporal.ts';
import { made } from '../helpers/about.ts';

describe('ten pages with as many texts as a page may have', function () {
  this.timeout(90_000);
  const resources = new AsyncDisposableStack();
  after(() => resources.disposeAsync());

  it('are committed through a real Temporal server, whose history has each page once', async () => {
    const { connection, namespace, client } = await startOwnTemporal(resources);
    const fakes = fakeActivities();
    const recorded = createRecordedTasks(connection, namespace);
    const texts = { s1: 'x'.repeat(limits.pageTextsBytes - '{"s1":""}'.length) };
    let read: Awaited<ReturnType<typeof recorded.pages>> = {};
    const activities: TaskActivities = {
      ...fakes,
      generatePage: async () => ({ texts }),
      commitChanges: async (argument) => {
        read = await recorded.pages(argument.task.taskId, new AbortController().signal);
        return fakes.commitChanges(argument);
      },
    };
    const options = { connection, namespace, activities, cacheDir: bundles, shutdownGrace: 1 };
    resources.adopt(await createWorker(options), (worker) => worker.close());
    const items = Array.from({ length: limits.itemsPerTask }, (_, n) => ({
      targetPageSlug: `/page-${n}`,
      context: 'x',
    }));
    const templatePageSlug = '/locations/austin';
    const task = generateTask({ work: { type: 'generate_pages', templatePageSlug, items } });
    const start = {
      about: made,
      bodyHash: 'hash',
      taskQueue: TASK_QUEUE,
      workflowTaskTimeout: 10_000,
    };
    const handle = await client.workflow.start(TASK_WORKFLOW, taskStartOptions(task, start));
    expect(await (handle.result() as Promise<OutcomeWithEvents>)).to.include({
      status: 'completed',
    });
    expect(read).to.deep.equal(
      Object.fromEntries(items.map(({ targetPageSlug }) => [targetPageSlug, { texts }])),
    );
    const { historySize } = await handle.describe();
    const once = items.length * limits.pageTextsBytes;
    expect(historySize).to.be.within(once, once + 50_000);
  });
});
