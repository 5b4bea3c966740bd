// Takes long: workers of two versions side by side, started and stopped again for each of eleven
// rollouts.
import type { Client, WorkflowFailedError } from '@temporalio/client';
import type { NativeConnection } from '@temporalio/worker';
import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import type { TaskActivities } from '../../activities/index.ts';
import { workerQueue, TASK_QUEUE, TASK_WORKFLOW, type TaskInput } from '../../src/contract/task.ts';
import { createTemporalCalls } from '../../src/temporal/tasks/temporalCalls.ts';
import { createPreferredWorkers } from '../../src/temporal/tasks/preferredWorkers.ts';
import { createRecordedTasks } from '../../src/temporal/tasks/recordedTasks.ts';
import { taskStartOptions } from '../../src/temporal/tasks/startOptions.ts';
import { listVersions, promoteVersion } from '../../src/temporal/rollout.ts';
import {
  type WorkerBuild,
  bundleWorkflows,
  readBuild,
} from '../../src/temporal/worker/workerBuild.ts';
import { createWorker } from '../../src/temporal/worker/worker.ts';
import { cityItem, TEMPLATE, TaskSite } from '../helpers/activities.ts';
import type { PageTextCalls } from '../../src/agents/shared/texts/textsPool.ts';
import { texts } from '../helpers/texts.ts';
import { startOwnTemporal } from '../helpers/ownTemporal.ts';
import { bundles, fakeActivities, generateTask, promptTask } from '../helpers/temporal.ts';
import { until } from '../helpers/until.ts';
import { made } from '../helpers/about.ts';

const WITHIN_MS = 300_000;
const newVersion = fileURLToPath(new URL('../replay/patch/patched.ts', import.meta.url));

describe('a rollout with running tasks', function () {
  this.timeout(2 * WITHIN_MS);
  const shared = new AsyncDisposableStack();
  let connection: NativeConnection;
  let client: Client;
  let address: string;
  let namespace: string;
  let site: TaskSite;
  let builds: Record<'earlier' | 'later', WorkerBuild>;

  before(async () => {
    ({ address, client, connection, namespace } = await startOwnTemporal(shared));
    site = shared.adopt(await TaskSite.create(), (made) => made.remove());
    const earlier = await readBuild(bundles);
    builds = { earlier, later: { id: 'later', workflowBundle: await bundleWorkflows(newVersion) } };
  });
  after(() => shared.disposeAsync());

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

  const running: Awaited<ReturnType<typeof createWorker>>[] = [];
  afterEach(
    async () => void (await Promise.all(running.splice(0).map((worker) => worker.close()))),
  );

  async function startWorker(build: WorkerBuild, activities: TaskActivities, home = build.id) {
    const worker = await createWorker({
      connection,
      namespace,
      activities,
      build,
      cacheDir: bundles,
      home,
      shutdownGrace: 30,
    });
    running.push(worker);
    return worker;
  }
  /** As the command does. */
  const promote = (
    { id: build }: Pick<WorkerBuild, 'id'>,
    more: { ramp?: number; withinMs?: number } = {},
  ) => promoteVersion(temporal(), { build, ...more });
  /** Starts the worker that a rollout begins with. */
  async function startCurrent(...start: Parameters<typeof startWorker>) {
    const worker = await startWorker(...start);
    await promote(start[0]);
    await until('its version to be current', () => worker.state() === true, WITHIN_MS);
    return worker;
  }
  const temporal = () => ({ address, namespace, environment: { TEMPORAL_ADDRESS: address } });

  /** Activities whose steps of the agent wait until they are let go. */
  function gated(activities: TaskActivities) {
    let { promise, resolve } = Promise.withResolvers<void>();
    const again = () => void ({ promise, resolve } = Promise.withResolvers<void>());
    const gate = { held: 0, open: () => resolve(), hold: again, activities };
    const hold = async <T>(run: () => Promise<T>) => (gate.held++, await promise, await run());
    const { generatePage, runAgentTurn } = activities;
    gate.activities = {
      ...activities,
      generatePage: (argument) => hold(() => generatePage(argument)),
      runAgentTurn: (argument) => hold(() => runAgentTurn(argument)),
    };
    return gate;
  }

  /** Tasks of both kinds, at the real site. */
  const tasks = (count: number, name: string) =>
    Array.from({ length: count }, (_, n) => {
      const own = { organizationId: site.organizationId, siteId: site.siteId };
      if (n % 2 === 0)
        return promptTask({ ...own, work: { type: 'prompt', prompt: 'Delete /pricing' } });
      const items = [cityItem(`${name}${n}`)];
      return generateTask({
        ...own,
        work: { type: 'generate_pages', templatePageSlug: TEMPLATE, items },
      });
    });

  /** How a task ended: its result, the builds of its workflow tasks, and those that failed. */
  async function outcome(handle: Awaited<ReturnType<typeof start>>) {
    const ended = await handle.result();
    const { events } = await handle.fetchHistory();
    const by = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: done }) =>
      done ? [done.deploymentVersion?.buildId ?? 'none'] : [],
    );
    const failed = (events ?? []).flatMap(
      ({ workflowTaskFailedEventAttributes: one }) => one?.failure?.message ?? [],
    );
    const patches = (events ?? []).filter(
      ({ markerRecordedEventAttributes: marker }) => marker,
    ).length;
    return { status: ended.status, first: by[0], last: by.at(-1), failed, patches };
  }

  it('gives the tasks to one of two versions that start at once, and the other says what it waits for', async () => {
    const workers = await Promise.all(
      [builds.earlier, builds.later].map((build) => startWorker(build, fakeActivities())),
    );
    await Promise.all(workers.map(({ decided }) => decided));
    const { current, versions } = await listVersions(temporal());
    expect(versions.map(({ build }) => build)).to.have.members([builds.earlier.id, 'later']);
    const [own, other] = current === 'later' ? workers.reverse() : workers;
    expect(own!.state()).to.equal(true);
    const waiting = current === 'later' ? builds.earlier.id : 'later';
    expect(other!.state())
      .to.include(` ${current}. `)
      .and.include(` ${waiting} `)
      .and.include(` npm run -s cli -- worker promote --build ${waiting}`);
    expect(await other!.check()).to.equal(true);
  });

  it('does not go back when an old worker starts again, which fails no workflow task with a new activity', async () => {
    const oldWorker = await startCurrent(builds.earlier, fakeActivities());
    const held = gated(fakeActivities());
    await startWorker(builds.later, held.activities);
    await promote(builds.later);
    const task = await start(promptTask());
    await until('its step, after the new one', () => held.held === 1, WITHIN_MS);
    await oldWorker.close();
    const again = await startWorker(builds.earlier, fakeActivities());
    await again.decided;
    expect(again.state()).to.match(/ later\. .* worker promote --build [0-9a-f]+$/);
    const next = await start(promptTask());
    held.open();
    for (const end of await Promise.all([task, next].map(outcome)))
      expect(end).to.deep.equal({
        status: 'completed',
        first: 'later',
        last: 'later',
        failed: [],
        patches: 1,
      });
    expect(await listVersions(temporal())).to.deep.include({ current: 'later', ramping: null });
  });

  it('gives a version the share of tasks that an operator chose, and resets it', async () => {
    await startCurrent(builds.earlier, fakeActivities());
    const canary = await startWorker(builds.later, fakeActivities());
    const firstOfNew = async () => (await outcome(await start(promptTask()))).first;
    const current = builds.earlier.id;
    for (const [percent, gets] of [
      [100, 'later'],
      [0, current],
    ] as const) {
      if (percent === 0) await canary.close();
      // without a name it is the version that has the share
      const build = percent === 0 ? undefined : 'later';
      expect(await promoteVersion(temporal(), { build, ramp: percent })).to.deep.equal({
        current,
        ramping: { build: 'later', percent },
      });
      await until(
        `new tasks of version ${gets}`,
        async () => (await firstOfNew()) === gets,
        WITHIN_MS,
      );
    }
    const missing = await promote({ id: 'none' }, { withinMs: 0 }).catch((error: unknown) => error);
    expect(missing).to.include({ code: 'UNAVAILABLE' });
    expect((missing as Error).message).to.match(/^No worker of version none polls for tasks\b/);
  });

  it('fails no task: the new version continues the tasks of the old one, which may then stop', async () => {
    const recorded = createRecordedTasks(connection, namespace);
    const old = gated(site.bare('old', { recorded }));
    const oldWorker = await startCurrent(builds.earlier, old.activities);
    const before = await Promise.all(tasks(4, 'Old').map(start));
    await until('the steps of the first tasks', () => old.held === before.length, WITHIN_MS);
    const newWorker = await startWorker(builds.later, site.bare('new', { recorded }));
    expect(await promote(builds.later)).to.deep.equal({ current: 'later', ramping: null });
    const after = await Promise.all(tasks(4, 'New').map(start));
    old.open();
    const ends = await Promise.all(before.map(outcome));
    const { id } = builds.earlier;
    for (const end of ends)
      expect(end).to.deep.equal({
        status: 'completed',
        first: id,
        last: 'later',
        failed: [],
        patches: 0,
      });
    for (const end of await Promise.all(after.map(outcome)))
      expect(end).to.deep.equal({
        status: 'completed',
        first: 'later',
        last: 'later',
        failed: [],
        patches: 1,
      });
    await oldWorker.close();
    expect((await outcome(await start(tasks(1, 'Last')[0]!))).status).to.equal('completed');
    await newWorker.close();
  });

  /** The queues of a task's steps, and those at home with the code that scheduled them. */
  async function steps(handle: Awaited<ReturnType<typeof start>>) {
    const events = (await handle.fetchHistory()).events ?? [];
    const builds = new Map(
      events.map(({ eventId, workflowTaskCompletedEventAttributes: done }) => [
        String(eventId),
        done?.deploymentVersion?.buildId ?? '',
      ]),
    );
    const scheduled = events.flatMap(({ activityTaskScheduledEventAttributes: step }) =>
      step
        ? [[step.taskQueue!.name!, builds.get(String(step.workflowTaskCompletedEventId))!] as const]
        : [],
    );
    return {
      queues: scheduled.map(([queue]) => queue),
      atHome: scheduled.filter(([queue]) => queue.includes('-worker-')),
    };
  }

  it('runs no activity of the new version on a preferred worker with the old code', async () => {
    const { deployProduction: added, ...before } = fakeActivities();
    const old = gated(before as TaskActivities);
    const oldWorker = await startCurrent(builds.earlier, old.activities, 'old-home');
    const tasks = [promptTask, generateTask].map((make) =>
      make({ preferredWorker: 'old-home', publish: true }),
    );
    const begun = await Promise.all(tasks.map(start));
    await until('the steps of the tasks', () => old.held === 4, WITHIN_MS);
    const newWorker = await startWorker(
      builds.later,
      { ...before, deployProduction: added },
      'new-home',
    );
    await promote(builds.later);
    old.open();
    for (const end of await Promise.all(begun.map(outcome)))
      expect(end).to.deep.include({ status: 'completed', last: 'later', failed: [] });
    for (const { atHome } of await Promise.all(begun.map(steps)))
      for (const [queue, buildId] of atHome)
        expect(queue).to.equal(workerQueue('old-home', buildId));
    const homes = createPreferredWorkers(createTemporalCalls(client));
    const homesOfAll = () => new Set(Array.from({ length: 50 }, (_, n) => homes.of(`site-${n}`)));
    await until('the home of the new version', () => homesOfAll().has('new-home'), WITHIN_MS);
    expect([...homesOfAll()]).to.not.include('old-home');
    await oldWorker.close();
    await newWorker.close();
  });

  describe('that changes a tool', () => {
    const prompt = 'Replace "Pricing" with "Plans" on /about. Delete /pricing';
    const own = () => ({ organizationId: site.organizationId, siteId: site.siteId });
    const replaced = (change: (text: string) => string): Partial<PageTextCalls> => ({
      async replaceWords(...args) {
        const found = await texts.replaceWords(...args);
        const changed = Object.entries(found.texts).map(([id, text]) => [id, change(text)]);
        return { ...found, texts: Object.fromEntries(changed) as typeof found.texts };
      },
    });
    const breaks = () => Promise.reject(new Error('Used all the same'));
    const leavesIt = () =>
      Promise.reject(new Error('The old version leaves, and leaves the commit to the new one'));

    /** A task whose first step runs in the old version, and all others in one with these tools. */
    async function over(name: string, changed: Partial<PageTextCalls>): Promise<unknown> {
      const recorded = createRecordedTasks(connection, namespace);
      const stepped = Promise.withResolvers<void>();
      const { runAgentTurn, ...bare } = site.bare(`old ${name}`, { recorded });
      const old = gated({
        ...bare,
        runAgentTurn: (...args) => runAgentTurn(...args).finally(() => stepped.resolve()),
        commitChanges: leavesIt,
      });
      const oldWorker = await startCurrent(builds.earlier, old.activities);
      const task = await start(promptTask({ ...own(), work: { type: 'prompt', prompt } }));
      await until('its step', () => old.held === 1, WITHIN_MS);
      const other = { for: () => ({ ...texts, ...changed }) };
      const newWorker = await startWorker(
        builds.later,
        site.bare(`new ${name}`, { recorded, texts: other }),
      );
      await promote(builds.later);
      old.open();
      // a worker that stops would hand the step to the new one
      await stepped.promise;
      const left = oldWorker.close();
      const end = await task.result().then(
        ({ status }: { status: string }) => status,
        (error: WorkflowFailedError) => error.cause?.message,
      );
      await Promise.all([left, newWorker.close()]);
      return end;
    }

    it('lets a task continue that did not use the tool', async () => {
      expect(await over('unused', { changeFacts: breaks, linksNamed: breaks })).to.equal(
        'completed',
      );
    });

    it('fails a task that used the tool with another result, and says what to do', async () => {
      const end = await over(
        'other',
        replaced((text) => text.replace('Plans', 'PLANS')),
      );
      expect(end).to.match(/^The service was updated\b.*\b(?:Create|Start) the task again/);
    });
  });
});
