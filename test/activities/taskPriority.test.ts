import { expect } from 'chai';
import type { ActivityDependencies } from '../../activities/deps.ts';
import type { BatchStore } from '../../src/contract/batches/batchStore.ts';
import { type TaskPriority } from '../../src/threads/taskPriority.ts';
import { TaskSite, TEMPLATE } from '../helpers/activities.ts';
import { testPages } from '../helpers/threads.ts';

/** A new batch whose rows all have their paths. */
const planned = {
  find: (_: string, batchId: string) =>
    Promise.resolve({ batchId, status: 'running', publish: false, onWarnings: 'publish' }),
  counts: () => Promise.resolve({ written: 0, held: 0, committed: 0, published: 0 }),
  begin: () => Promise.resolve(),
  templates: () => Promise.resolve([TEMPLATE]),
  unplanned: () => Promise.resolve([]),
} as unknown as BatchStore;

describe('createActivities(ports)', function () {
  this.timeout(60_000);
  let site: TaskSite;
  before(async () => (site = await TaskSite.create()));
  after(() => site.remove());

  it('gives the activities of tasks priority over the jobs of batches', async () => {
    const read: { inTurn: boolean; during: number }[] = [];
    let during = 0;
    const precedence: TaskPriority = {
      async during(step) {
        during++;
        return step().finally(() => during--);
      },
      after: (work) => ({ ...work, inTurn: (job) => job() }),
    };
    const pages: ActivityDependencies['pages'] = {
      for(work) {
        read.push({ inTurn: 'inTurn' in work, during });
        return testPages.for(work);
      },
    };
    const changes = { precedence, pages, batches: planned };
    const { readSite, planBatch: planBatch } = site.worker('data', changes);
    await planBatch({ task: site.task() });
    const target = { templatePageSlug: TEMPLATE, targetPageSlugs: ['/locations/faro'] };
    await readSite({ task: site.task(), ...target });
    expect(read).to.deep.equal([
      { inTurn: true, during: 0 },
      { inTurn: false, during: 1 }, // the site
      { inTurn: false, during: 1 }, // the template, which the task's pages share
    ]);
    expect(during).to.equal(0);
  });
});
