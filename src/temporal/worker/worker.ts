import type { DataConverter } from '@temporalio/common';
import {
  DefaultLogger,
  type InjectedSinks,
  type NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import type { Activities } from '../../../activities/index.ts';
import type { TaskMeasures, TaskSinks } from '../../contract/metrics.ts';
import { homeQueue, stepQueues, TASK_QUEUE } from '../../contract/task.ts';
import type { Logger } from '../../log.ts';
import { identityAt } from '../homes.ts';
import { type Timeouts, timeoutsOf } from '../timeouts.ts';
import { type Build, readBuild } from './bundle.ts';
import { checkCurrent, seekTasks, versionOf } from './seekTasks.ts';

interface Options {
  connection: NativeConnection;
  namespace: string;
  activities: Activities;
  /** Folder for the workflows' cached bundles. */
  cacheDir: string;
  /** Seconds that running activities get to end at shutdown. */
  shutdownGrace: number;
  /** As `shutdownGrace`, for calls of language models. */
  callsGrace?: number;
  /** Steps that run at the same time, in each queue; default 2,000. */
  slots?: number;
  /** Default: the timeouts for the embedded server. */
  times?: Timeouts;
  /**
   * The worker's name as the home of sites, if several workers share the tasks. Its code is then a
   * version of the deployment. Default: there is no other worker.
   */
  home?: string | undefined;
  /** The code to run; default: the code on disk. */
  build?: Build;
  /** The one that every client uses; default: the SDK's. */
  dataConverter?: DataConverter;
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
 * The SDK's warnings about workers that only have steps or only workflows. This is intended here.
 */
const INTENDED = [
  'No workflows registered, not polling for workflow tasks',
  'No activities registered, not polling for activity tasks',
];

/**
 * Sends the SDK's log lines to the service's log, and leaves signals to the service. Call it once
 * per process, before the first worker.
 * @param metricsAddress `host:port` at which the SDK serves its own metrics; undefined: nowhere
 */
export function installRuntime(log: Logger, metricsAddress?: string) {
  const levels = {
    TRACE: 'trace',
    DEBUG: 'debug',
    INFO: 'info',
    WARN: 'warn',
    ERROR: 'error',
  } as const;
  const logger = new DefaultLogger('WARN', ({ level, message, meta }) =>
    log[INTENDED.includes(message) ? 'debug' : levels[level]](
      { sdk: meta?.['sdkComponent'] },
      message,
    ),
  );
  const metrics = metricsAddress === undefined ? {} : { metrics: metricsAt(metricsAddress) };
  const telemetryOptions = { logging: { filter: 'WARN', forward: {} }, ...metrics };
  Runtime.install({ logger, telemetryOptions, shutdownSignals: [] });
}

const metricsAt = (bindAddress: string) => ({
  attachServiceName: false,
  prometheus: {
    bindAddress,
    useSecondsForDurations: true,
    unitSuffix: true,
    countersTotalSuffix: true,
  },
});

/**
 * Steps that one process runs at the same time, in each queue. A step keeps its slot while it
 * waits: for its site, a thread, a call of a language model, or a slow remote or receiver. Two
 * organizations can fill the slots for pages, with ten pages for each of their tasks in flight.
 * Temporal then gives each free slot to another organization, by fairness keys.
 */
const SLOTS = 2_000;

/**
 * Open polls of one of several workers, by queue. A Temporal frontend allows 1,200 in all. Most
 * polls are for steps of the worker's own sites, few for rare steps. A lone worker has the SDK's 10
 * for each queue. The SDK 1.24 ignores `maxConcurrentActivityTaskPolls`.
 */
const polls = { home: 5, languageModels: 4, sites: 2, models: 2, callbacks: 2, looks: 2 };

type OptionsOfWorkers = Omit<Options, 'cacheDir' | 'build'> & { build: Build };

/**
 * Options for the workers: one for the workflows, one for each queue of steps, and one for the
 * home. Workers for steps have every activity, and only get the activities in their queue.
 */
export function optionsOfWorkers({
  measures = unheard,
  onTaskEnded = () => undefined,
  times = timeoutsOf({ embeddedAddress: '' }),
  build,
  home,
  activities,
  shutdownGrace,
  callsGrace = shutdownGrace,
  slots = SLOTS,
  ...more
}: OptionsOfWorkers): WorkerOptions[] {
  const workflows = {
    taskQueue: TASK_QUEUE,
    workflowBundle: build.workflowBundle,
    sinks: sinksOf(measures, onTaskEnded),
    stickyQueueScheduleToStartTimeout: times.sticky,
  } as const;
  const pollsOf = (queue: keyof typeof polls) =>
    home === undefined
      ? {}
      : ({
          activityTaskPollerBehavior: { type: 'simple-maximum', maximum: polls[queue] },
        } as const);
  // answers to heartbeats report cancels: with frequent ones, a cancelled model call ends soon
  const ofCalls = {
    maxHeartbeatThrottleInterval: times.heartbeats.models,
    ...graceOf(callsGrace),
  };
  const stepsOf = (queue: keyof typeof stepQueues) => ({
    taskQueue: stepQueues[queue],
    activities,
    ...pollsOf(queue),
    ...(queue === 'languageModels' && ofCalls),
  });
  const steps = (Object.keys(stepQueues) as (keyof typeof stepQueues)[]).map(stepsOf);
  const common = {
    ...more,
    maxConcurrentActivityTaskExecutions: slots,
    maxHeartbeatThrottleInterval: times.heartbeats.steps,
    ...graceOf(shutdownGrace),
    ...(home !== undefined && { identity: identityAt(home) }),
  };
  const version = home === undefined ? {} : { workerDeploymentOptions: versionOf(build.id) };
  // the home's queue belongs to no version: a version can only have a few queues
  const atHome =
    home === undefined
      ? []
      : [{ taskQueue: homeQueue(home, build.id), activities, ...pollsOf('home') }];
  const all = [...[workflows, ...steps].map((own) => ({ ...own, ...version })), ...atHome];
  return all.map((own) => ({ ...common, ...own }));
}

/** Starts the workers for tasks. */
export async function createWorker({ cacheDir, ...options }: Options): Promise<RunningWorker> {
  const { build = await readBuild(cacheDir), home, connection, namespace } = options;
  const workers = await Promise.all(
    optionsOfWorkers({ ...options, build }).map((own) => Worker.create(own)),
  );
  const runs = workers.map((worker) => worker.run());
  const failed = Promise.race(
    runs.map((run) => run.then(() => new Promise<never>(() => undefined))),
  );
  failed.catch(() => undefined);
  const closing = new AbortController();
  const start = { connection, namespace, buildId: build.id, signal: closing.signal };
  const version = home === undefined ? alone : shareTasks(start);
  const running = () =>
    workers.every((worker) => worker.getState() === 'RUNNING') ? true : 'the worker is not running';
  return {
    state: () => (running() === true ? version.state() : running()),
    check: async (now) => {
      const own = running();
      const tasks = own === true && home !== undefined ? await checkCurrent(start, now) : own;
      return tasks === true ? true : (version.refusal() ?? tasks);
    },
    decided: version.decided,
    failed,
    async close() {
      closing.abort();
      await version.ended;
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
      await Promise.allSettled(runs);
    },
  };
}

/** Without versions, every worker is current. */
const alone = {
  state: () => true as const,
  refusal: () => undefined,
  decided: Promise.resolve(),
  ended: Promise.resolve(),
};

/** Makes this process's version current in the background, if no other version has the tasks. */
function shareTasks(start: Parameters<typeof seekTasks>[0]) {
  const { promise: decided, resolve: decide } = Promise.withResolvers<void>();
  let state: true | string = 'its version is not the current one yet';
  let refusal: string | undefined;
  const onWait = (why: string) => {
    [state, refusal] = [why, undefined];
    decide();
  };
  const onRefusal = (why: string) => {
    refusal = `its version can not be made the current one: ${why}`;
    state = refusal;
  };
  const ended = seekTasks(start, { onWait, onRefusal }).then((isCurrent) => {
    if (isCurrent) [state, refusal] = [true, undefined];
    decide();
  });
  return { state: () => state, refusal: () => refusal, decided, ended };
}

const unheard: TaskMeasures = { phaseEnded: () => undefined, ended: () => undefined };

const sinksOf = (
  { phaseEnded, ended }: TaskMeasures,
  onTaskEnded: (taskId: string) => void,
): InjectedSinks<TaskSinks> => ({
  tasks: {
    phaseEnded: { fn: (_, phase) => phaseEnded(phase) },
    ended: {
      fn: ({ workflowId }, task) => {
        ended(task);
        onTaskEnded(workflowId);
      },
    },
  },
});

/** Steps are cancelled after this many seconds, and abandoned soon after that. */
const graceOf = (seconds: number) =>
  ({ shutdownGraceTime: `${seconds}s`, shutdownForceTime: `${seconds + 5}s` }) as const;
