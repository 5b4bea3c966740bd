import { expect } from 'chai';
import { setImmediate as settle } from 'node:timers/promises';
import type { ActivityDeps } from '../../activities/deps.ts';
import { afterTasks, beforeBatches } from '../../activities/tasksFirst.ts';
import type { PageJob } from '../../src/agents/agent.ts';
import type { BatchStore } from '../../src/contract/batchStore.ts';
import { createPrecedence, type Precedence } from '../../src/threads/precedence.ts';
import type { WorkInTurn } from '../../src/threads/threads.ts';
import { TaskSite, TEMPLATE } from '../helpers/activities.ts';
import { testPages } from '../helpers/threads.ts';

const FOREVER_MS = 1_000_000;
const create = () => createPrecedence({ pause: FOREVER_MS, between: 0 });

describe('beforeBatches(precedence, steps)', () => {
  /** Whether a job of a batch waits while a step with this argument runs. */
  async function holds(argument: { model?: string }): Promise<boolean> {
    const precedence = create();
    const { promise, resolve } = Promise.withResolvers<object>();
    const { step } = beforeBatches(precedence, { step: (_: { model?: string }) => promise });
    const running = step(argument);
    let hasBegun = false;
    const { inTurn } = precedence.after({ organizationId: 'a' });
    const turned = inTurn!(async () => (hasBegun = true));
    await settle();
    const isHeld = !hasBegun;
    resolve({ result: 1 });
    expect(await running).to.deep.equal({ result: 1 });
    await turned;
    return isHeld;
  }

  it('holds jobs of batches while a step runs', async () => {
    expect(await holds({})).to.equal(true);
  });

  it('holds none while a step calls a language model', async () => {
    expect(await holds({ model: 'anthropic/x' })).to.equal(false);
  });
});

describe('afterTasks(precedence, ports)', () => {
  it('gives each port work that waits for its turn', async () => {
    const works: WorkInTurn[] = [];
    const seen = { for: (work: WorkInTurn) => void works.push(work) };
    const agent = { generatePage: async (_: PageJob, work: WorkInTurn) => seen.for(work) };
    const ports = { pages: seen, texts: seen, agents: { of: () => agent }, more: 1 };
    const own = afterTasks(create(), ports as unknown as ActivityDeps & { more: number });
    const work = { organizationId: 'a' };
    own.pages.for(work);
    own.texts.for(work);
    await own.agents.of('m').generatePage({} as PageJob, work);
    expect(works.map(({ organizationId }) => organizationId)).to.deep.equal(['a', 'a', 'a']);
    for (const { inTurn } of works) expect(await inTurn!(async () => 'job')).to.equal('job');
    expect(own.more).to.equal(1);
  });
});

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

  it('lets the steps of tasks go before the jobs of batches', async () => {
    const read: { inTurn: boolean; during: number }[] = [];
    let during = 0;
    const precedence: Precedence = {
      async during(step) {
        during++;
        return step().finally(() => during--);
      },
      after: (work) => ({ ...work, inTurn: (job) => job() }),
    };
    const pages: ActivityDeps['pages'] = {
      for(work) {
        read.push({ inTurn: 'inTurn' in work, during });
        return testPages.for(work);
      },
    };
    const changes = { precedence, pages, batches: planned };
    const { readSite, planRows } = site.worker('data', changes);
    await planRows({ task: site.task() });
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
