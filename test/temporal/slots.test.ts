import { ApplicationFailure } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import { expect } from 'chai';
import { TASK_QUEUE, TASK_WORKFLOW, type TaskInput } from '../../src/contract/task.ts';
import { taskStartOptions } from '../../src/temporal/tasks/startOptions.ts';
import { createWorker } from '../../src/temporal/worker/worker.ts';
import { startOwnTemporal } from '../helpers/ownTemporal.ts';
import { bundles, fakeActivities, generateTask } from '../helpers/temporal.ts';
import { until } from '../helpers/until.ts';
import { made } from '../helpers/about.ts';

const SLOTS = 4;
/** temporal.api.enums.v1.PendingActivityState: it waits for its next attempt, and for a slot. */
const SCHEDULED = 1;
/** Steps of the two that wait for a slot: more of them than slots become free. */
const WAITING = 20;
const ENDS = 18;
/** Tasks that wait for a silent host: several times as many as there are slots. */
const SILENT = 3 * SLOTS;

const lookOf = (pages: { slug: string }[]) => ({
  target: 'preview' as const,
  commit: 'c'.repeat(40),
  what: 'the build',
  url: 'https://forge.example/',
  branch: 'bg-task',
  pages: pages.map(({ slug }) => ({ slug, paths: [slug], texts: [] })),
});

describe('slots that the activities of two organizations fill', function () {
  this.timeout(420_000);
  const resources = new AsyncDisposableStack();
  /** Tasks that looked at their host in vain. */
  const looks = new Set<string>();
  const begun: { organizationId: string; end: () => void }[] = [];
  let isHeld: (organizationId: string) => boolean = () => true;
  let client: Client;

  before(async () => {
    const { connection, namespace, ...temporal } = await startOwnTemporal(resources);
    client = temporal.client;
    const options = {
      connection,
      namespace,
      cacheDir: bundles,
      shutdownGrace: 1,
      slots: SLOTS,
    };
    resources.adopt(await createWorker({ ...options, activities: heldActivities() }), (running) =>
      running.close(),
    );
  });
  after(async () => {
    letGo();
    await resources.disposeAsync();
  });

  function letGo() {
    isHeld = () => false;
    for (const { end } of begun) end();
  }

  /**
   * Model steps that hold their slots until the test ends them, and hosts of two organizations, one
   * of which says nothing.
   */
  function heldActivities() {
    const fake = fakeActivities();
    const hold = (organizationId: string) =>
      new Promise<void>((end) => {
        begun.push({ organizationId, end });
        if (!isHeld(organizationId)) end();
      });
    return {
      ...fake,
      generatePage: async (job: Parameters<typeof fake.generatePage>[0]) => {
        await hold(job.task.organizationId);
        return fake.generatePage(job);
      },
      deployPreview: async (job: Parameters<typeof fake.deployPreview>[0]) => ({
        ...(await fake.deployPreview(job)),
        ...(['silent', 'heard'].includes(job.task.organizationId) && {
          deploymentCheck: lookOf(job.pages),
        }),
      }),
      checkDeployment: async (job: Parameters<typeof fake.checkDeployment>[0]) => {
        if (job.task.organizationId === 'heard') return fake.checkDeployment(job);
        looks.add(job.task.taskId);
        throw ApplicationFailure.create({ type: 'STILL_BUILDING', nextRetryDelay: '1 hour' });
      },
    };
  }

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

  /** Starts a task, and waits until its model step is in Temporal's queue. */
  async function queued(task: TaskInput) {
    const handle = await start(task);
    const isQueued = async () => {
      const { raw } = await handle.describe();
      return raw.pendingActivities?.some(
        ({ activityType }) => activityType?.name === 'generatePage',
      );
    };
    await until(`the step of ${task.organizationId}`, isQueued, 60_000, 500);
    return handle;
  }
  const onePage = (organizationId: string) =>
    generateTask({
      organizationId,
      work: { type: 'generate_pages', templatePageSlug: '/a', items: items.slice(0, 1) },
    });
  const items = Array.from({ length: 6 }, (_, n) => ({ targetPageSlug: `/p${n}`, context: 'x' }));
  const severalPages = (organizationId: string) =>
    generateTask({
      organizationId,
      work: { type: 'generate_pages', templatePageSlug: '/a', items },
    });

  /**
   * Ends steps that hold a slot, one after the other. @returns how many of the next ones are the
   * organization's
   */
  async function begunAfter(ends: number, organizationId: string): Promise<number> {
    const before = begun.length;
    while (begun.length < before + ends) {
      const { length } = begun;
      begun[length - SLOTS]!.end();
      await until('the next step', () => begun.length > length, 30_000, 5);
    }
    return begun.slice(before).filter((step) => step.organizationId === organizationId).length;
  }

  // a queue has partitions, and takes turns in each of them: so the order is only about fair
  it('go to a third organization as they become free, although its activities came last', async () => {
    await Promise.all(
      Array.from({ length: SLOTS + WAITING }, (_, n) => queued(onePage(`many-${n % 2}`))),
    );
    await until('full slots', () => begun.length === SLOTS);
    const third = await Promise.all(Array.from({ length: 8 }, () => queued(onePage('third'))));
    expect(begun).to.have.length(SLOTS);
    // the tests after this one need the slots, also where this one fails
    const own = await begunAfter(ENDS, 'third').finally(letGo);
    console.log(
      `      of the next ${ENDS} steps ${own} were the third one's, behind ${WAITING} of the others`,
    );
    expect(own).to.be.at.least(1);
    await Promise.all(third.map((task) => task.result()));
  });

  it('are not used by tasks that wait for a silent host', async () => {
    isHeld = () => false;
    const waiting = Array.from({ length: SILENT }, () => start(onePage('silent')));
    const silent = await Promise.all(waiting);
    await until('a look of each', () => looks.size === silent.length, 300_000);
    for (const organizationId of ['heard', 'embedded'])
      await (await start(onePage(organizationId))).result();
    const descriptions = await Promise.all(silent.map((task) => task.describe()));
    const steps = descriptions.flatMap(({ raw }) => raw.pendingActivities ?? []);
    expect(steps.map(({ activityType }) => activityType?.name)).to.deep.equal(
      silent.map(() => 'checkDeployment'),
    );
    expect(steps.filter(({ state }) => Number(state) !== SCHEDULED)).to.deep.equal([]);
    await Promise.all(silent.map((task) => task.terminate()));
  });

  it('are separate for language models, whose calls wait in them, and are not needed by the rules', async () => {
    isHeld = (organizationId) => organizationId === 'asking';
    const asking = await start({ ...severalPages('asking'), model: 'openai/gpt-test' });
    const steps = () => begun.filter(({ organizationId }) => organizationId === 'asking');
    await until('full slots', () => steps().length === SLOTS);
    await (await start(severalPages('ruled'))).result();
    expect(steps()).to.have.length(SLOTS);
    letGo();
    await asking.result();
    expect(steps()).to.have.length(items.length);
  });
});
