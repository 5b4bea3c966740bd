import { fileURLToPath } from 'node:url';
import { cancelled, heartbeat } from '@temporalio/activity';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import {
  Runtime,
  DefaultLogger,
  type InjectedSinks,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import type { TaskActivities } from '../../activities/index.ts';
import type { TaskSinks } from '../../src/contract/metrics.ts';
import {
  activityQueues,
  TASK_QUEUE,
  TASK_WORKFLOW,
  type TaskInput,
} from '../../src/contract/task.ts';
import { workflowBundle as bundleIn } from '../../src/temporal/worker/workerBuild.ts';
import { findTestServer } from '../../src/temporal/server/cliBinary.ts';
import { registeredAttributes } from '../../src/temporal/searchAttributes.ts';
import { taskStartOptions } from '../../src/temporal/tasks/startOptions.ts';
import { randomTaskId } from '../../src/temporal/tasks/taskId.ts';
import { defaultTaskTitle } from '../../src/contract/text/taskTitles.ts';
import { made } from './about.ts';
import { FakeBatch } from './fakeBatch.ts';

/**
 * Where the workflows' bundle is kept, which takes longer to make than most files of tests: in a
 * run, its template.
 */
export const bundles =
  process.env['TEST_DATA_TEMPLATE'] ?? fileURLToPath(new URL('../../.cache', import.meta.url));

/** The SDK's own log lines would drown the tests'. Once for a process. */
export function quietRuntime() {
  try {
    Runtime.install({
      logger: new DefaultLogger('ERROR', () => undefined),
      telemetryOptions: { logging: { filter: 'ERROR', forward: {} } },
      shutdownSignals: [],
    });
  } catch {
    // another test file of this process did it
  }
}

/** A real time-skipping Temporal server with our search attributes, and the workflows' bundle. */
export async function startTimeSkipping() {
  quietRuntime();
  const [path, workflowBundle] = await Promise.all([findTestServer(), bundleIn(bundles)]);
  const env = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path } },
  });
  const attributes = registeredAttributes.map(({ name, type }) => [name, type.number]);
  await env.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: Object.fromEntries(attributes),
  });
  const workers = sharedWorkers({ env, workflowBundle });
  return {
    env,
    workflowBundle,
    during: workers.during,
    async close() {
      await workers.stop();
      await env.teardown();
    },
  };
}

interface TestTemporal {
  env: TestWorkflowEnvironment;
  workflowBundle: { code: string };
}

export type TimeSkipping = Awaited<ReturnType<typeof startTimeSkipping>>;

const threePages = (): TaskInput['work'] => ({
  type: 'generate_pages',
  templatePageSlug: '/locations/austin',
  items: ['/a', '/b', '/c'].map((targetPageSlug) => ({
    targetPageSlug,
    context: `for ${targetPageSlug}`,
  })),
});

/** By default it has the title that the service gives to such a task. */
export const generateTask = (changes: Partial<TaskInput> = {}): TaskInput => ({
  taskId: randomTaskId(),
  organizationId: 'org-1',
  siteId: 'site-1',
  title: defaultTaskTitle(changes.work ?? threePages()),
  createdAt: '2026-01-02T03:04:05.678Z',
  publish: false,
  work: threePages(),
  ...changes,
});

export const promptTask = (changes: Partial<TaskInput> = {}): TaskInput =>
  generateTask({ work: { type: 'prompt', prompt: 'Change it' }, ...changes });

/** Starts the task's workflow as the service does. */
export function startTask({ env }: TimeSkipping, task: TaskInput) {
  const options = taskStartOptions(task, {
    about: { createdBy: made.createdBy },
    bodyHash: 'hash',
    taskQueue: TASK_QUEUE,
    workflowTaskTimeout: 10_000,
  });
  return env.client.workflow.start(TASK_WORKFLOW, options);
}

const unheard = { fn: () => undefined };
const sinks: InjectedSinks<TaskSinks> = {
  tasks: { phaseEnded: unheard, ended: unheard, deliveryGivenUp: unheard },
};

/**
 * Runs `use` while workers with these activities run. @param more options of the workflows' worker
 */
export async function withWorker<T>(
  server: TestTemporal,
  activities: Partial<TaskActivities>,
  use: () => Promise<T>,
  more: Partial<WorkerOptions> = {},
): Promise<T> {
  const workers = await createWorkers(server, activities, more);
  return workers.reduce((run, worker) => () => worker.runUntil(run), use)();
}

function createWorkers(
  { env, workflowBundle }: TestTemporal,
  activities: object,
  more: Partial<WorkerOptions> = {},
) {
  const { nativeConnection: connection } = env;
  const options = [
    { taskQueue: TASK_QUEUE, workflowBundle, sinks, ...more },
    ...Object.values(activityQueues).map((taskQueue) => ({ taskQueue })),
  ];
  return Promise.all(options.map((own) => Worker.create({ connection, activities, ...own })));
}

/**
 * Workers that start once for all tests of a file: they take longer to start than a task of fakes
 * does.
 */
function sharedWorkers(server: TestTemporal) {
  let activities: object;
  const names = Object.keys(fakeActivities());
  const current = Object.fromEntries(
    names.map((name) => [
      name,
      (...args: unknown[]) => (activities as Record<string, Activity>)[name]!(...args),
    ]),
  );
  let started: Promise<{ workers: Worker[]; ended: Promise<unknown> }> | undefined;
  async function start() {
    const workers = await createWorkers(server, current);
    return { workers, ended: Promise.all(workers.map((worker) => worker.run())) };
  }
  return {
    /** Runs `use` while the workers do tasks with these activities. One at a time. */
    during: async <T>(those: TaskActivities, use: () => Promise<T>): Promise<T> => {
      activities = those;
      const { ended } = await (started ??= start());
      return Promise.race([
        use(),
        ended.then(() => Promise.reject(new Error('The workers ended'))),
      ]);
    },
    stop: async () => {
      const running = await started;
      running?.workers.forEach((worker) => worker.shutdown());
      await running?.ended;
    },
  };
}

type Activity = (...args: unknown[]) => Promise<unknown>;

/** What tasks are to make, by taskId: steps of one task run on several workers. */
const planned = new Map<string, { slug: string; path: string }[]>();

/** Activities that succeed, and note their calls. Each test replaces what it is about. */
export function fakeActivities(calls: string[] = []): TaskActivities {
  const note = (call: string) => void calls.push(call);
  const urlsOf = (origin: string, pages: { slug: string }[]) =>
    pages.map(({ slug }) => ({ slug, url: `${origin}${slug}` }));
  const edits = { created: [], modified: [], deleted: [], notes: [] };
  return {
    readSite: async ({ task, targetPageSlugs = [] }) => {
      note('readSite');
      const targets = targetPageSlugs.map((slug) => ({
        slug,
        path: `${slug.slice(1)}.html`,
        existing: false,
      }));
      planned.set(
        task.taskId,
        targets.map(({ slug, path }) => ({ slug, path })),
      );
      return {
        base: 'b'.repeat(40),
        template: { path: 'locations/austin.html', digest: 'd' },
        targets,
      };
    },
    readTaskResult: async ({ result: { base, commit } }) => {
      note('readTaskResult');
      return { base, commit, created: [{ slug: '/x', path: 'x.html' }], modified: [], deleted: [] };
    },
    generatePage: async ({ item }) => {
      note(`generatePage ${item.targetPageSlug}`);
      return { texts: { s1: item.context } };
    },
    runAgentTurn: async ({ turns }) => {
      note(`runAgentTurn ${turns.count}`);
      const turn = {
        text: '',
        toolCalls: [{ id: 'c1', name: 'finish', arguments: {} }],
        digest: 'd',
      };
      return { turn, done: true, digest: 'd' };
    },
    commitChanges: async ({ task, edit }) => {
      note('commitChanges');
      const created =
        edit.type === 'prompt' ? [{ slug: '/x', path: 'x.html' }] : planned.get(task.taskId)!;
      return { ...edits, commit: 'c'.repeat(40), created };
    },
    restoreDeployment: async () => {
      note('restoreDeployment');
      return { ...edits, commit: 'c'.repeat(40), created: [{ slug: '/x', path: 'x.html' }] };
    },
    deployPreview: async ({ pages }) => {
      note('deployPreview');
      const shown = urlsOf('http://preview', pages);
      return { pages: shown.map((page) => ({ ...page, editUrl: `http://edit${page.slug}` })) };
    },
    publish: async ({ commit }) => {
      note('publish');
      return { commit };
    },
    deployProduction: async ({ pages }) => {
      note('deployProduction');
      return { pages: urlsOf('http://live', pages) };
    },
    checkDeployment: async ({ deploymentCheck }) => ({
      pages: urlsOf(`http://${deploymentCheck.target}`, deploymentCheck.pages),
    }),
    mergePullRequest: async () => 'd'.repeat(40),
    deletePreview: async () => note('deletePreview'),
    releasePermit: async () => {
      note('releasePermit');
      return undefined;
    },
    acquirePermit: async () => {
      note('acquirePermit');
      return undefined;
    },
    recordEvent: async () => [],
    deliverEvent: async () => 'over',
    mailCreator: async () => note('mailCreator'),
    sendCallback: async () => {
      note('sendCallback');
      return { status: 200, attempts: [] };
    },
    ...new FakeBatch(0).activities(),
    pruneSites: async () => ({ last: null, sites: 1, removed: 0, failed: 0 }),
  };
}

/** An activity that hears of its cancellation, as ours do, by its heartbeats. */
export async function untilCancelled(): Promise<never> {
  const timer = setInterval(() => heartbeat(), 100);
  return cancelled().finally(() => clearInterval(timer));
}
