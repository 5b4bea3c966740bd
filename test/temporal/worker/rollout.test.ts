import type { Client } from '@temporalio/client';
import { type NativeConnection, Worker } from '@temporalio/worker';
import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import type { Activities } from '../../../activities/index.ts';
import { stepQueues, TASK_QUEUE, TASK_WORKFLOW, type TaskInput } from '../../../src/contract/task.ts';
import { connectClient, connectWorker, createClient } from '../../../src/temporal/connection.ts';
import { startDevServer } from '../../../src/temporal/server/devServer.ts';
import { createRecorded } from '../../../src/temporal/tasks/recorded.ts';
import { startOptions } from '../../../src/temporal/tasks/startOptions.ts';
import { type Build, bundleWorkflows, readBuild } from '../../../src/temporal/worker/bundle.ts';
import { createWorker } from '../../../src/temporal/worker/worker.ts';
import { cityItem, TEMPLATE, TaskSite } from '../../helpers/activities.ts';
import { temporaryFolder } from '../../helpers/database.ts';
import { bundles, fakeActivities, generateTask, promptTask, quietRuntime } from '../../helpers/temporal.ts';
import { until } from '../../helpers/until.ts';

const namespace = 'agent-tasks';
const WITHIN_MS = 60_000;
const newVersion = fileURLToPath(new URL('./newVersion.ts', import.meta.url));

describe('a rollout with tasks in flight', function () {
  this.timeout(180_000);
  const shared = new AsyncDisposableStack();
  let connection: NativeConnection;
  let client: Client;
  let site: TaskSite;
  let builds: Record<'earlier' | 'later', Build>;

  before(async () => {
    quietRuntime();
    const dataDir = shared.adopt(temporaryFolder(), (folder) => folder.remove()).path;
    const server = shared.adopt(await startDevServer({ dataDir, port: 0, uiPort: 0, namespace }), (started) =>
      started.close(),
    );
    const endpoint = { embeddedAddress: server.address, environment: {} };
    connection = shared.adopt(await connectWorker(endpoint), (opened) => opened.close());
    const opened = shared.adopt(connectClient(endpoint), (lazy) => lazy.close());
    client = createClient(opened, namespace);
    site = shared.adopt(await TaskSite.create(), (made) => made.remove());
    const earlier = await readBuild(bundles);
    builds = { earlier, later: { id: 'later', workflowBundle: await bundleWorkflows(newVersion) } };
  });
  after(() => shared.disposeAsync());

  const start = (task: TaskInput) =>
    client.workflow.start(
      TASK_WORKFLOW,
      startOptions(task, { bodyHash: 'hash', taskQueue: TASK_QUEUE, workflowTaskTimeout: 10_000 }),
    );

  const startWorker = (build: Build, activities: Activities) =>
    createWorker({
      ...{ connection, namespace, activities, build, cacheDir: bundles },
      ...{ shutdownGrace: 30, modelCalls: { atOnce: 10, perMinute: 600 }, home: build.id },
    });
  const untilCurrent = (worker: Awaited<ReturnType<typeof startWorker>>) =>
    until('the version of the worker to be current', () => worker.state() === true, WITHIN_MS);

  /** Activities whose steps of the agent wait until they are let go. */
  function gated(activities: Activities) {
    const { promise, resolve: open } = Promise.withResolvers<void>();
    const gate = { held: 0, open, activities };
    const hold = async <T>(run: () => Promise<T>) => (gate.held++, await promise, await run());
    const { generatePage, agentStep } = activities;
    gate.activities = {
      ...activities,
      generatePage: (argument) => hold(() => generatePage(argument)),
      agentStep: (argument) => hold(() => agentStep(argument)),
    };
    return gate;
  }

  /** Tasks of both kinds, at the real site. */
  const tasks = (count: number, name: string) =>
    Array.from({ length: count }, (_, n) => {
      const own = { organizationId: site.organizationId, siteId: site.siteId };
      if (n % 2 === 0) return promptTask({ ...own, work: { type: 'prompt', prompt: 'Delete /pricing' } });
      const items = [cityItem(`${name}${n}`)];
      return generateTask({ ...own, work: { type: 'generate_pages', templatePageSlug: TEMPLATE, items } });
    });

  /** How a task ended: its result, the builds of its workflow tasks, and those that failed. */
  async function outcome(handle: Awaited<ReturnType<typeof start>>) {
    const ended = await handle.result();
    const { events } = await handle.fetchHistory();
    const by = (events ?? []).flatMap(({ workflowTaskCompletedEventAttributes: done }) =>
      done ? [done.deploymentVersion?.buildId ?? 'none'] : [],
    );
    const failed = (events ?? []).flatMap(({ workflowTaskFailedEventAttributes: one }) => one?.failure?.message ?? []);
    const patches = (events ?? []).filter(({ markerRecordedEventAttributes: marker }) => marker).length;
    return { status: ended.status, first: by[0], last: by.at(-1), failed, patches };
  }

  it('fails none: the new version goes on with those of the old one, which may leave then', async () => {
    const recorded = createRecorded(connection, namespace);
    const old = gated(site.bare('old', { recorded }));
    const oldWorker = await startWorker(builds.earlier, old.activities);
    await untilCurrent(oldWorker);
    const before = await Promise.all(tasks(4, 'Old').map(start));
    await until('the steps of the first tasks', () => old.held === before.length, WITHIN_MS);
    const newWorker = await startWorker(builds.later, site.bare('new', { recorded }));
    await untilCurrent(newWorker);
    const after = await Promise.all(tasks(4, 'New').map(start));
    old.open();
    const ends = await Promise.all(before.map(outcome));
    const { id } = builds.earlier;
    for (const end of ends)
      expect(end).to.deep.equal({ status: 'completed', first: id, last: 'later', failed: [], patches: 0 });
    for (const end of await Promise.all(after.map(outcome)))
      expect(end).to.deep.equal({ status: 'completed', first: 'later', last: 'later', failed: [], patches: 1 });
    await oldWorker.close();
    expect((await outcome(await start(tasks(1, 'Last')[0]!))).status).to.equal('completed');
    await newWorker.close();
  });

  it('gives the steps that a worker left behind to the next version at once, and back again', async () => {
    const old = gated(fakeActivities());
    const oldWorker = await startWorker(builds.earlier, old.activities);
    await untilCurrent(oldWorker);
    const task = await start(promptTask());
    await until('the step', () => old.held === 1, WITHIN_MS);
    old.open();
    await oldWorker.close();
    const nobody = await start(promptTask());
    const newWorker = await startWorker(builds.later, fakeActivities());
    expect(await Promise.all([task, nobody].map(outcome))).to.deep.equal([
      { status: 'completed', first: builds.earlier.id, last: 'later', failed: [], patches: 0 },
      { status: 'completed', first: 'later', last: 'later', failed: [], patches: 1 },
    ]);
    await newWorker.close();
    const again = await startWorker(builds.earlier, fakeActivities());
    expect((await outcome(await start(promptTask()))).first).to.equal(builds.earlier.id);
    await again.close();
  });

  it('goes on with tasks that began with workers without versions', async () => {
    const old = gated(fakeActivities());
    const without = await unversioned(old.activities);
    await client.workflowService.setWorkerDeploymentCurrentVersion({
      ...{ namespace, deploymentName: 'agent-tasks', buildId: '', ignoreMissingTaskQueues: true, allowNoPollers: true },
    });
    const [first, second] = [await start(promptTask()), await start(generateTask())];
    await until('their steps', () => old.held === 4, WITHIN_MS);
    const worker = await startWorker(builds.later, fakeActivities());
    await untilCurrent(worker);
    const left = without.close();
    old.open();
    const ends = await Promise.all([first, second].map(outcome));
    // the second one's pages may be written together
    for (const [patches, end] of ends.entries())
      expect(end).to.deep.include({ status: 'completed', first: 'none', failed: [], patches });
    await left;
    await worker.close();
  });

  /** Workers as a service without versions had them. */
  async function unversioned(activities: Activities) {
    const { workflowBundle } = builds.earlier;
    const options = [
      { taskQueue: TASK_QUEUE, workflowBundle },
      ...Object.values(stepQueues).map((taskQueue) => ({ taskQueue })),
    ];
    const common = { connection, namespace, activities, shutdownGraceTime: '30s' };
    const workers = await Promise.all(options.map((own) => Worker.create({ ...common, ...own })));
    const runs = workers.map((worker) => worker.run());
    return {
      close: async () => {
        for (const worker of workers) worker.shutdown();
        await Promise.all(runs);
      },
    };
  }
});
