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
  /** Folder in which the workflows' bundle is kept. */
  cacheDir: string;
  /** Seconds that running activities get to end. */
  shutdownGrace: number;
  /** The same for calls of language models. */
  callsGrace?: number;
  /** Steps that run at the same time, for each queue; default 2,000. */
  slots?: number;
  /** Default: those for the embedded server. */
  times?: Timeouts;
  /**
   * Its name as the home of sites, where workers share the tasks. Its code is a version of the
   * deployment then. Default: it is the only worker that there is.
   */
  home?: string | undefined;
  /** What the worker runs; default: the code on disk. */
  build?: Build;
  /** As every client's; default: the SDK's. */
  dataConverter?: DataConverter;
  /** Told by the workflows, of each phase and end once: a replay tells nothing. */
  measures?: TaskMeasures | undefined;
  /**
   * Told the id of a task that has ended: of each at least once, but for those that end while the
   * worker dies.
   */
  onTaskEnded?: (taskId: string) => void;
}

export interface RunningWorker {
  /** Whether it runs and gets work, or why it does not. */
  state(): true | string;
  /**
   * The same. Where another version is the current one: whether a worker of that one asks for work.
   */
  check(now?: () => number): Promise<true | string>;
  /**
   * Resolves when its version is the current one, or another one keeps the tasks, or the worker
   * closes.
   */
  decided: Promise<void>;
  /** Rejects if the worker ends by itself. */
  failed: Promise<never>;
  /** Takes no new work, lets running activities end, and resolves when all is done. */
  close(): Promise<void>;
}

/**
 * What the SDK warns of for workers that have steps only, or workflows only. No option says that
 * this is meant.
 */
const MEANT = [
  'No workflows registered, not polling for workflow tasks',
  'No activities registered, not polling for activity tasks',
];

/**
 * Sends the SDK's log lines to our log, leaves signals to the service. Once per process, before its
 * first worker.
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
    log[MEANT.includes(message) ? 'debug' : levels[level]](
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
 * Steps that one process runs at the same time, for each queue. Steps wait inside their slots: for
 * their site's turn, for a thread, for a call of a language model, for a remote or a receiver that
 * does not answer. Two organizations can fill those for pages, with ten pages for each of their
 * tasks in flight. Then Temporal gives each slot that becomes free to the organizations in turns,
 * by their fairness keys.
 */
const SLOTS = 2_000;

/**
 * Polls that each of several workers has open at Temporal for its queues, where a frontend takes
 * 1,200 of all: most where its own sites' steps come, few where steps are rare. An only worker has
 * 10 for each queue, as the SDK does. The SDK 1.24 ignores `maxConcurrentActivityTaskPolls`.
 */
const polls = { home: 5, languageModels: 4, sites: 2, models: 2, callbacks: 2 };

type OptionsOfWorkers = Omit<Options, 'cacheDir' | 'build'> & { build: Build };

/**
 * The options of the workers for tasks: one for the workflows, one for each queue of steps, and one
 * for the home. Each of these has every activity: which ones it runs, the queues decide.
 */
export function optionsOfWorkers({
  measures = unheard,
  onTaskEnded = () => undefined,
  times = timeoutsOf({ embeddedAddress: '' }),
  build,
  home,
  activities,
  callsGrace,
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
  // a cancelled call ends soon: the answer to a heartbeat tells of the cancel
  const throttle = { maxHeartbeatThrottleInterval: times.heartbeats.models };
  const ofCalls = { ...throttle, ...graceOf(callsGrace ?? more.shutdownGrace) };
  const stepsOf = (queue: keyof typeof stepQueues) => ({
    taskQueue: stepQueues[queue],
    activities,
    ...pollsOf(queue),
    ...(queue === 'languageModels' && ofCalls),
  });
  const steps = (Object.keys(stepQueues) as (keyof typeof stepQueues)[]).map(stepsOf);
  const common = {
    ...commonOptions(more, times),
    ...(home !== undefined && { identity: identityAt(home) }),
  };
  const version = home === undefined ? {} : { workerDeploymentOptions: versionOf(build.id) };
  // a version has few queues
  const atHome =
    home === undefined
      ? []
      : [{ taskQueue: homeQueue(home, build.id), activities, ...pollsOf('home') }];
  const all = [...[workflows, ...steps].map((own) => ({ ...own, ...version })), ...atHome];
  return all.map((own) => ({ ...common, ...own }));
}

/** Runs the workers for tasks. */
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

/** Has the version of this process get the tasks where no other one has them, in the background. */
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

/** In seconds: then steps are cancelled, and given up soon after that. */
const graceOf = (seconds: number) =>
  ({ shutdownGraceTime: `${seconds}s`, shutdownForceTime: `${seconds + 5}s` }) as const;

const commonOptions = (
  {
    shutdownGrace,
    slots = SLOTS,
    ...options
  }: Omit<
    Options,
    'activities' | 'cacheDir' | 'measures' | 'onTaskEnded' | 'times' | 'build' | 'home'
  >,
  { heartbeats }: Timeouts,
) =>
  ({
    ...options,
    maxConcurrentActivityTaskExecutions: slots,
    maxHeartbeatThrottleInterval: heartbeats.steps,
    ...graceOf(shutdownGrace),
  }) satisfies Partial<WorkerOptions>;
