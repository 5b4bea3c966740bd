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
   * Its name as the home of sites, where several workers share the tasks. Then its code is a
   * version of the deployment. Default: there is no other worker.
   */
  home?: string | undefined;
  /** What the worker runs; default: the code on disk. */
  build?: Build;
  /** As every client's; default: the SDK's. */
  dataConverter?: DataConverter;
  /** Called once for each phase and end of a task: not by replays. */
  measures?: TaskMeasures | undefined;
  /**
   * Called with the id of a task that has ended, at least once for each, except for those that end
   * while the worker dies.
   */
  onTaskEnded?: (taskId: string) => void;
}

export interface RunningWorker {
  /** Whether it runs and gets work, or why it does not. */
  state(): true | string;
  /** The same, but where another version is current: whether a worker of that one asks for work. */
  check(now?: () => number): Promise<true | string>;
  /** Resolves when its version is current, or another one keeps the tasks, or the worker closes. */
  decided: Promise<void>;
  /** Rejects if the worker ends by itself. */
  failed: Promise<never>;
  /** Takes no new work, lets running activities end, and resolves when all is done. */
  close(): Promise<void>;
}

/** Warnings of the SDK about workers that have only steps, or only workflows, as intended here. */
const INTENDED = [
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
 * Steps that one process runs at the same time, for each queue. Steps hold their slots while they
 * wait: for their site, a thread, a call of a language model, or a remote or receiver that does not
 * answer. Two organizations can fill the slots for pages, with ten pages for each of their tasks in
 * flight. Then Temporal gives each free slot to another organization, by their fairness keys.
 */
const SLOTS = 2_000;

/**
 * Polls that each of several workers keeps open for its queues, as a Temporal frontend allows 1,200
 * in all: most for steps of its own sites, few where steps are rare. A worker without others has
 * the SDK's 10 for each queue. The SDK 1.24 ignores `maxConcurrentActivityTaskPolls`.
 */
const polls = { home: 5, languageModels: 4, sites: 2, models: 2, callbacks: 2 };

type OptionsOfWorkers = Omit<Options, 'cacheDir' | 'build'> & { build: Build };

/**
 * The options of the workers for tasks: one for the workflows, one for each queue of steps, and one
 * for the home. Those for steps have every activity, and get those that are in their queues.
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
  // answers to heartbeats tell of cancels: a cancelled call of a model ends soon
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
  // the home's queue belongs to no version, as a version can have few queues only
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

/** In the background, makes this process's version current where no other one has the tasks. */
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

/** After so many seconds steps are cancelled, and given up soon after that. */
const graceOf = (seconds: number) =>
  ({ shutdownGraceTime: `${seconds}s`, shutdownForceTime: `${seconds + 5}s` }) as const;
