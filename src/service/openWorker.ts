import { createActivities } from '../../activities/index.ts';
import { createAgents } from '../agents/createAgents.ts';
import { createFairModelCalls } from '../agents/model/calls/fairModelCalls.ts';
import { DomainError } from '../errors.ts';
import { editUrl } from '../editor/editUrl.ts';
import { countBatchRows, countDeliveries } from '../metrics/countCalls.ts';
import { scheduleCleanUp } from '../temporal/cleanUpSchedule.ts';
import { connectWorker } from '../temporal/connection.ts';
import { preferredWorkerName } from '../temporal/workerNames.ts';
import { failLostActivities } from '../temporal/tasks/lostActivities.ts';
import { createRecordedTasks } from '../temporal/tasks/recordedTasks.ts';
import { createWorker, type RunningWorker } from '../temporal/worker/worker.ts';
import { createCallMeter } from './callMeter.ts';
import type { CommonParts, KeepOpen } from './commonParts.ts';

type WorkerConnection = Awaited<ReturnType<typeof connectWorker>>;

/**
 * Starts the worker, which runs the tasks' workflows and activities, and schedules the clean-up.
 * Before that, reports what a killed process had left running at the embedded server.
 * @throws DomainError UNAVAILABLE, CONFIGURATION
 */
export async function openWorker(commonParts: CommonParts, keep: KeepOpen): Promise<RunningWorker> {
  const { config, logger, metrics, stores, temporal } = commonParts;
  const { namespace, dataConverter, times } = temporal;
  const connection = keep(await connectWorker(temporal.endpoint));
  if (!temporal.isShared) await reportLostActivities(commonParts, connection);
  const stopping = new AbortController();
  const worker = await createWorker({
    connection,
    namespace,
    activities: await createServiceActivities(commonParts, connection, stopping.signal),
    cacheDir: config.dataDir,
    shutdownGrace: config.shutdownGrace,
    callsGrace: config.agent.callsGrace,
    times,
    home: temporal.isShared ? preferredWorkerName(config.dataDir) : undefined,
    dataConverter,
    tracing: temporal.tracing,
    measures: metrics,
    onTaskEnded: (taskId) => void stores.leases.releaseEnded(taskId).catch(() => undefined),
  });
  metrics.watchWorker(() => worker.check());
  // the service works without the clean-up, but its data grows
  await scheduleCleanUp(connection, namespace).catch((err: unknown) =>
    logger.error({ err }, 'scheduling the clean-up failed'),
  );
  return keep({
    ...worker,
    close() {
      stopping.abort(
        new DomainError('UNAVAILABLE', 'The process is stopping', { retryable: true }),
      );
      return worker.close();
    },
  });
}

async function reportLostActivities(
  { logger, temporal }: CommonParts,
  connection: WorkerConnection,
) {
  try {
    const steps = await failLostActivities(connection, temporal.namespace);
    if (steps > 0)
      logger.info({ steps }, `reported ${steps} activities of a dead worker as failed`);
  } catch (err) {
    logger.warn(
      { err },
      'reporting activities of a dead worker failed; Temporal retries them after their heartbeat timeout',
    );
  }
}

async function createServiceActivities(
  { publicUrl, ...commonParts }: CommonParts,
  connection: WorkerConnection,
  stopping: AbortSignal,
) {
  const { config, logger, metrics, traces, stores, temporal, rules, texts, runningTasks, sender } =
    commonParts;
  const { namespace, dataConverter, times } = temporal;
  const sendCallback: typeof sender.send = (...delivery) => sender.send(...delivery);
  return createActivities({
    ...stores,
    agents: await createAgents(config.agent, {
      rules,
      threads: stores.threads,
      traces,
      meter: createCallMeter({
        usage: stores.modelUsage,
        limits: stores.tokenLimits,
        log: logger,
        onCounted({ organizationId, model }, usedTokens) {
          metrics.modelCalled(model, usedTokens);
          stores.usageNotices.tell(organizationId);
        },
      }),
    }),
    texts,
    batches: countBatchRows(stores.batches, metrics.rowsReached),
    consoleAddress: (path) => new URL(path, publicUrl()).href,
    batchAddress: (batchId) => new URL(`api/v1/agent/batches/${batchId}`, publicUrl()).href,
    editAddress: (taskId, slug) => editUrl(publicUrl(), taskId, slug).href,
    recorded: createRecordedTasks(connection, namespace, dataConverter),
    retention: { ...stores.retention, runningTasks },
    log: logger,
    traces,
    calls: createFairModelCalls({ atOnce: config.agent.callsAtOnce, stopping }),
    stopping,
    callbacks: { send: countDeliveries(sendCallback, metrics.callbackAttempted) },
    onAttemptEnd: metrics.stepDelayed,
    heartbeats: times.heartbeats,
  });
}
