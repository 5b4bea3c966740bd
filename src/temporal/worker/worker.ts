import { DefaultLogger, type NativeConnection, Runtime, Worker } from '@temporalio/worker';
import type { Activities } from '../../../activities/index.ts';
import { TASK_QUEUE } from '../../contract/task.ts';
import type { Logger } from '../../log.ts';
import { workflowBundle } from './bundle.ts';

interface Options {
  connection: NativeConnection;
  namespace: string;
  activities: Activities;
  /** Folder in which the workflows' bundle is kept. */
  cacheDir: string;
  /** Seconds that running activities get to end. */
  shutdownGrace: number;
}

export interface RunningWorker {
  isRunning(): boolean;
  /** Rejects if the worker ends by itself. */
  failed: Promise<never>;
  /** Takes no new work, lets running activities end, and resolves when all is done. */
  close(): Promise<void>;
}

/** Sends the SDK's log lines to our log, leaves signals to the service. Once per process, before its first worker. */
export function installRuntime(log: Logger) {
  const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;
  const logger = new DefaultLogger('WARN', ({ level, message, meta }) =>
    log[levels[level]]({ sdk: meta?.['sdkComponent'] }, message),
  );
  Runtime.install({ logger, telemetryOptions: { logging: { filter: 'WARN', forward: {} } }, shutdownSignals: [] });
}

/** Runs a worker for tasks. Cache and pollers are the SDK's defaults: more of them measured worse. */
export async function createWorker({
  connection,
  namespace,
  activities,
  cacheDir,
  shutdownGrace,
}: Options): Promise<RunningWorker> {
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue: TASK_QUEUE,
    workflowBundle: await workflowBundle(cacheDir),
    activities,
    maxEagerActivityReservationsPerWorkflowTask: 10,
    stickyQueueScheduleToStartTimeout: '1s',
    // heartbeats often enough to learn of a cancel soon, and well within the heartbeat timeout
    maxHeartbeatThrottleInterval: '2s',
    shutdownGraceTime: `${shutdownGrace}s`,
    shutdownForceTime: `${shutdownGrace + 5}s`,
  });
  const run = worker.run();
  const failed = run.then(() => new Promise<never>(() => undefined));
  failed.catch(() => undefined);
  return {
    isRunning: () => worker.getState() === 'RUNNING',
    failed,
    async close() {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await run.catch(() => undefined);
    },
  };
}
