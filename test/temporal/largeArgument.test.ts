import { expect } from 'chai';
import type { Activities } from '../../activities/index.ts';
import { limits, TASK_QUEUE, TASK_WORKFLOW } from '../../src/contract/task.ts';
import type { Ended } from '../../src/contract/ended.ts';
import { startOptions } from '../../src/temporal/tasks/startOptions.ts';
import { createWorker } from '../../src/temporal/worker/worker.ts';
import { startOwnTemporal } from '../helpers/ownTemporal.ts';
import { bundles, fakeActivities, generateTask } from '../helpers/temporal.ts';
import { made } from '../helpers/about.ts';

describe("ten pages with as many texts as a page may have, as the commit's argument", function () {
  this.timeout(90_000);
  const resources = new AsyncDisposableStack();
  after(() => resources.disposeAsync());

  it('are taken by a real Temporal server', async () => {
    const { connection, namespace, client } = await startOwnTemporal(resources);
    const fakes = fakeActivities();
    const texts = { s1: 'x'.repeat(limits.pageTextsBytes - '{"s1":""}'.length) };
    let bytes = 0;
    const activities: Activities = {
      ...fakes,
      generatePage: async () => ({ texts, notes: [] }),
      commitChanges: async (argument) => {
        bytes = Buffer.byteLength(JSON.stringify(argument));
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
    const handle = await client.workflow.start(TASK_WORKFLOW, startOptions(task, start));
    expect(await (handle.result() as Promise<Ended>)).to.include({ status: 'completed' });
    expect(bytes).to.be.within(10 * limits.pageTextsBytes, 1.3 * 1024 ** 2);
  });
});
