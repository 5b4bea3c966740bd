import type { DataConverter } from '@temporalio/common';
import {
  DefaultLogger,
  type InjectedSinks,
  type NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import type { TaskActivities } from '../../../activities/index.ts';
import type { TaskMeasures, TaskSinks } from '../../contract/metrics.ts';
import type { TraceSinks } from '../../contract/traces.ts';
import { workerQueue, activityQueues, TASK_QUEUE } from '../../contract/task.ts';
import type { ServiceLogger } from '../../log.ts';
import { workerIdentity } from '../workerNames.ts';
import type { TemporalTracing } from '../temporalTracing.ts';
import { type TemporalTimeouts, chooseTimeouts } from '../timeouts.ts';
import { type WorkerBuild, readBuild } from './workerBuild.ts';
import { checkCurrentVersion, becomeCurrentVersion, versionOptions } from './currentVersion.ts';

interface WorkerSettings {
  connection: NativeConnection;
  namespace: string;
  activities: TaskActivities;
  /** Folder for the workflows' cached bundles. */
  cacheDir: string;
  /** Seconds that running activities get to end at shutdown. */
  shutdownGrace: number;
  /** As `shutdownGrace`, for calls of language models. */
  callsGrace?: number;
  /** Activities that run at the same time, in each task queue. Default: 2,000. */
  slots?: number;
  /** Default: the timeouts for the embedded server. */
  times?: TemporalTimeouts;
  /**
   * The name by which sites prefer this worker, if several workers share the tasks. Its code is
   * then a version of the deployment. Default: there is no other worker.
   */
  home?: string | undefined;
  /** The code to run; default: the code on disk. */
  build?: WorkerBuild;
  /** The data converter that every client uses. Default: the SDK's. */
  dataConverter?: DataConverter;
  /** Default: tasks are not traced. */
  tracing?: TemporalTracing | undefined;
  /** Called once for each phase and end of a task, but not during replays. */
  measures?: TaskMeasures | undefined;
  /**
   * Called at least once with the id of each ended task, unless the worker died as the task ended.
   */
  onTaskEnded?: (taskId: string) => void;
}

export interface RunningWorker {
  /** Whether the worker runs and gets work, or the reason why not. */
  state(): true | string;
  /** As `state`. If another version is current, whether a worker of that version polls for work. */
  check(now?: () => number): Promise<true | string>;
  /**
   * Resolves when the worker's version is current, another version keeps the tasks, or the worker
   * closes.
   */
  decided: Promise<void>;
  /** Rejects if the worker ends unexpectedly. */
  failed: Promise<never>;
  /** Takes no new work, lets running activities end, and resolves when they have ended. */
  close(): Promise<void>;
}

/**
 * The SDK's warnings about workers with only activities or only workflows, as is intended here.
 */
const INTENDED_WARNINGS = [
  'No workflows registered, not polling for workflow tasks',
  'No activities registered, not polling for activity tasks',
];

/**
 * Sends the SDK's log lines to the service's log, and leaves signals to the service. Call it once
 * per process, before the first worker.
 * @param metricsAddress `host:port` at which the SDK serves its own metrics; undefined: nowhere
 */
export function installRuntime(log: ServiceLogger, metricsAddress?: string) {
  const logLevels = {
    TRACE: 'trace',
    DEBUG: 'debug',
    INFO: 'info',
    WARN: 'warn',
    ERROR: 'error',
  } as const;
  const logger = new DefaultLogger('WARN', ({ level, message, meta }) =>
    log[INTENDED_WARNINGS.includes(message) ? 'debug' : logLevels[level]](
      { sdk: meta?.['sdkComponent'] },
      message,
    ),
  );
  const metrics = metricsAddress === undefined ? {} : { metrics: metricsOptions(metricsAddress) };
  const telemetryOptions = { logging: { filter: 'WARN', forward: {} }, ...metrics };
  Runtime.install({ logger, telemetryOptions, shutdownSignals: [] });
}

const metricsOptions = (bindAddress: string) => ({
  attachServiceName: false,
  prometheus: {
    bindAddress,
    useSecondsForDurations: true,
    unitSuffix: true,
    countersTotalSuffix: true,
  },
});

/**
 * Activities that one process runs at the same time, in each task queue. An activity keeps its slot
 * while it waits: for its site, a thread, a language model call, or a slow remote or receiver. Two
 * organizations can fill the slots for pages, with ten pages for each of their running tasks.
 * Temporal then gives each free slot to another organization, by fairness keys.
 */
const SLOTS = 2_000;

/**
 * Open polls of one of several workers, by task queue. A Temporal frontend allows 1,200 in all.
 * Most polls are for activities of the sites that prefer this worker (`home`), few for rare
 * activities. A single worker has the SDK's 10 polls for each queue. The SDK 1.24 ignores
 * `maxConcurrentActivityTaskPolls`.
 */
const pollsByQueue = {
  home: 5,
  languageModels: 4,
  sites: 2,
  rules: 2,
  callbacks: 2,
  deploymentChecks: 2,
};

type AllWorkersOptions = Omit<WorkerSettings, 'cacheDir' | 'build'> & { build: WorkerBuild };

/**
 * Returns the options of this process's workers: one for the workflows, one for each queue of
 * activities, and one for the queue of sites that prefer this process. Every worker for activities
 * has all activities, and gets those in its queue.
 */
export function createWorkerOptions({
  measures = ignoredMeasures,
  onTaskEnded = () => undefined,
  times = chooseTimeouts({ embeddedAddress: '' }),
  build,
  home,
  activities,
  shutdownGrace,
  callsGrace = shutdownGrace,
  slots = SLOTS,
  tracing,
  ...commonSettings
}: AllWorkersOptions): WorkerOptions[] {
  const workflows = {
    taskQueue: TASK_QUEUE,
    workflowBundle: build.workflowBundle,
    sinks: { ...createSinks(measures, onTaskEnded), ...(tracing?.sinks ?? untraced) },
    stickyQueueScheduleToStartTimeout: times.sticky,
  } as const;
  const pollOptions = (queue: keyof typeof pollsByQueue) =>
    home === undefined
      ? {}
      : ({
          activityTaskPollerBehavior: { type: 'simple-maximum', maximum: pollsByQueue[queue] },
        } as const);
  // answers to heartbeats report cancels: with frequent ones, a cancelled model call ends soon
  const callOptions = {
    maxHeartbeatThrottleInterval: times.heartbeats.models,
    ...graceTimes(callsGrace),
  };
  const activityWorker = (queue: keyof typeof activityQueues) => ({
    taskQueue: activityQueues[queue],
    activities,
    ...pollOptions(queue),
    ...(queue === 'languageModels' && callOptions),
  });
  const activityWorkers = (Object.keys(activityQueues) as (keyof typeof activityQueues)[]).map(
    activityWorker,
  );
  const commonOptions = {
    ...commonSettings,
    ...(tracing && { interceptors: { activity: [tracing.activityInterceptors] } }),
    maxConcurrentActivityTaskExecutions: slots,
    maxHeartbeatThrottleInterval: times.heartbeats.steps,
    ...graceTimes(shutdownGrace),
    ...(home !== undefined && { identity: workerIdentity(home) }),
  };
  const version = home === undefined ? {} : { workerDeploymentOptions: versionOptions(build.id) };
  // the worker-specific queue belongs to no version: a version can only have a few queues
  const preferredWorkers =
    home === undefined
      ? []
      : [{ taskQueue: workerQueue(home, build.id), activities, ...pollOptions('home') }];
  const allWorkers = [
    ...[workflows, ...activityWorkers].map((ownOptions) => ({ ...ownOptions, ...version })),
    ...preferredWorkers,
  ];
  return allWorkers.map((ownOptions) => ({ ...commonOptions, ...ownOptions }));
}

/**
 * Starts the workers of this process, which run the tasks' workflows and activities. The files next
 * to this one read the code to run (`workerBuild.ts`), and make its version current
 * (`currentVersion.ts`).
 */
export async function createWorker({
  cacheDir,
  ...options
}: WorkerSettings): Promise<RunningWorker> {
  const { build = await readBuild(cacheDir), home, connection, namespace } = options;
  const workers = await Promise.all(
    createWorkerOptions({ ...options, build }).map((ownOptions) => Worker.create(ownOptions)),
  );
  const workerRuns = workers.map((worker) => worker.run());
  const failed = Promise.race(
    workerRuns.map((workerRun) => workerRun.then(() => new Promise<never>(() => undefined))),
  );
  failed.catch(() => undefined);
  const closing = new AbortController();
  const versionToStart = { connection, namespace, buildId: build.id, signal: closing.signal };
  const version = home === undefined ? unversioned : startSeeking(versionToStart);
  const checkRunning = () =>
    workers.every((worker) => worker.getState() === 'RUNNING') ? true : 'the worker is not running';
  return {
    state: () => (checkRunning() === true ? version.state() : checkRunning()),
    check: async (now) => {
      const ownOptions = checkRunning();
      const currentState =
        ownOptions === true && home !== undefined
          ? await checkCurrentVersion(versionToStart, now)
          : ownOptions;
      return currentState === true ? true : (version.refusal() ?? currentState);
    },
    decided: version.decided,
    failed,
    async close() {
      closing.abort();
      await version.ended;
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.allSettled(workerRuns);
    },
  };
}

/** The state of a worker without a version: it always gets tasks. */
const unversioned = {
  state: () => true as const,
  refusal: () => undefined,
  decided: Promise.resolve(),
  ended: Promise.resolve(),
};

/** Makes this process's version current in the background, if no other version has the tasks. */
function startSeeking(versionToStart: Parameters<typeof becomeCurrentVersion>[0]) {
  const { promise: decided, resolve: resolveDecided } = Promise.withResolvers<void>();
  let state: true | string = 'the version of this worker is not the current version yet';
  let refusal: string | undefined;
  const onWait = (reason: string) => {
    [state, refusal] = [reason, undefined];
    resolveDecided();
  };
  const onRefusal = (reason: string) => {
    refusal = `the version of this worker can't become the current version: ${reason}`;
    state = refusal;
  };
  const ended = becomeCurrentVersion(versionToStart, { onWait, onRefusal }).then((isCurrent) => {
    if (isCurrent) [state, refusal] = [true, undefined];
    resolveDecided();
  });
  return { state: () => state, refusal: () => refusal, decided, ended };
}

const ignoredMeasures: TaskMeasures = {
  phaseEnded: () => undefined,
  ended: () => undefined,
  deliveryGivenUp: () => undefined,
};

const createSinks = (
  { phaseEnded, ended, deliveryGivenUp }: TaskMeasures,
  onTaskEnded: (taskId: string) => void,
): InjectedSinks<TaskSinks> => ({
  tasks: {
    phaseEnded: { fn: (_, phase) => phaseEnded(phase) },
    deliveryGivenUp: { fn: (_, delivery) => deliveryGivenUp(delivery) },
    ended: {
      fn: ({ workflowId }, task) => {
        ended(task);
        onTaskEnded(workflowId);
      },
    },
  },
});

/** For workflows that another process traces. */
const untraced: InjectedSinks<TraceSinks> = {
  traces: { workflowEnded: { fn: () => undefined } },
};

/** Activities are cancelled this many seconds after shutdown begins, and abandoned soon after. */
const graceTimes = (seconds: number) =>
  ({ shutdownGraceTime: `${seconds}s`, shutdownForceTime: `${seconds + 5}s` }) as const;
