import { WorkflowNotFoundError } from '@temporalio/client';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import {
  type BatchInput,
  BATCH_WORKFLOW,
  CANCEL_SIGNAL,
  PAUSE_SIGNAL,
  RESUME_SIGNAL,
} from '../../contract/batches/batch.ts';
import { type HeartbeatIntervals, TASK_QUEUE } from '../../contract/task.ts';
import type { EventListeners } from '../../contract/events.ts';
import { summarySiteName, summaryLine } from '../../contract/text/summaries.ts';
import { DomainError } from '../../errors.ts';
import { creatorAttribute } from '../tasks/startOptions.ts';
import type { TemporalCalls } from '../tasks/temporalCalls.ts';
import type { PreferredWorkers } from '../tasks/preferredWorkers.ts';
import { type TaskStartOptions, tooManyInFlight } from '../tasks/startTask.ts';
import { derivedTaskId, randomTaskId } from '../tasks/taskId.ts';
import type { BatchRuns, BatchToRun } from './batches.ts';
import { attributeKeys } from '../../contract/searchAttributes.ts';

const ANSWERS_WITHIN_MS = 4_000;

interface BatchRunsOptions extends Pick<
  TaskStartOptions,
  'secret' | 'leases' | 'workflowTaskTimeout' | 'heartbeats' | 'listenersOf'
> {
  calls: TemporalCalls;
  homes: PreferredWorkers | undefined;
}

/**
 * Creates the port that starts and stops the workflows of batches. A batch can run several times,
 * for example after a pause. All its runs have the batch's id as their workflow id.
 */
export function createBatchRuns({
  calls,
  secret,
  leases,
  homes,
  listenersOf,
  ...timing
}: BatchRunsOptions): BatchRuns {
  const { workflow } = calls.client;
  const acquirePermit: BatchRuns['acquirePermit'] = async ({
    batchId: taskId,
    organizationId,
    siteId,
  }) => {
    const permit = await leases.acquire({ taskId, organizationId, siteId });
    if (permit === 'had') return () => Promise.resolve();
    if (permit !== 'taken') throw tooManyInFlight(leases.limit);
    // if this fails, the check of leases releases the permit later
    return () => leases.release(taskId).catch(() => undefined);
  };
  const runTiming = async ({ organizationId, createdBy, siteId }: BatchToRun) => ({
    preferredWorker: homes?.of(siteId),
    listeners: await listenersOf?.(organizationId, createdBy),
    ...timing,
  });
  return {
    acquirePermit,
    newId: (organizationId, idempotencyKey) =>
      idempotencyKey === undefined
        ? randomTaskId()
        : // a client may use one key for a task and for a batch: no task's key has a space
          derivedTaskId(secret, organizationId, `batch ${idempotencyKey}`),

    async run(batch) {
      await acquirePermit(batch);
      const startOptions = batchStartOptions(batch, await runTiming(batch));
      try {
        await calls.within(ANSWERS_WITHIN_MS, () =>
          workflow.signalWithStart(BATCH_WORKFLOW, startOptions),
        );
      } catch (cause) {
        // the run may have begun, so it keeps its permit: the check of leases decides
        throw new DomainError('START_FAILED', 'Failed to start the batch', {
          cause,
          retryable: true,
          reason: 'Temporal did not answer',
        });
      }
    },

    pauseRun: (batchId) => signalRun(batchId, PAUSE_SIGNAL),
    cancelRun: (batchId) => signalRun(batchId, CANCEL_SIGNAL),
    cancelBatch: (batch) => runShortly(batch, CANCEL_SIGNAL),
    reportEnd: (batch) => runShortly(batch, RESUME_SIGNAL),
  };

  /** Signals the run of a batch, if there is one. */
  async function signalRun(batchId: string, signal: string): Promise<void> {
    const sendSignal = () => workflow.getHandle(batchId).signal(signal);
    await calls.within(ANSWERS_WITHIN_MS, sendSignal).catch((cause: unknown) => {
      if (!(cause instanceof WorkflowNotFoundError)) throw temporalUnanswered(cause);
    });
  }

  /** Signals the run of a batch. If there is none, starts a short one, which works on no row. */
  async function runShortly(batch: BatchToRun, signal: string): Promise<void> {
    const startOptions = batchStartOptions(batch, await runTiming(batch));
    await calls
      .within(ANSWERS_WITHIN_MS, () =>
        workflow.signalWithStart(BATCH_WORKFLOW, { ...startOptions, signal }),
      )
      .catch((cause: unknown) => {
        throw temporalUnanswered(cause);
      });
  }
}

const temporalUnanswered = (cause: unknown) =>
  new DomainError('UNAVAILABLE', 'Temporal did not answer', {
    retryable: true,
    reason: 'Temporal did not answer',
    cause,
  });

interface RunTiming {
  listeners: EventListeners | undefined;
  preferredWorker: string | undefined;
  heartbeats?: HeartbeatIntervals;
  workflowTaskTimeout: number;
}

/** With these options, `signalWithStart` wakes a running workflow, or starts one after the last. */
function batchStartOptions(
  batch: BatchToRun,
  { preferredWorker, heartbeats, workflowTaskTimeout, listeners }: RunTiming,
) {
  const { batchId: taskId, organizationId, siteId, siteName, createdAt, createdBy, title } = batch;
  const { requestId, model, callbackUrl, publish } = batch;
  const input: BatchInput = {
    taskId,
    organizationId,
    siteId,
    siteName,
    title,
    createdAt,
    ...withoutUndefined({
      listeners,
      requestId,
      model,
      callbackUrl,
      preferredWorker,
      heartbeats,
    }),
  };
  return {
    workflowId: taskId,
    taskQueue: TASK_QUEUE,
    args: [input],
    signal: RESUME_SIGNAL,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    workflowTaskTimeout,
    memo: { createdAt, title },
    typedSearchAttributes: [
      { key: attributeKeys.organizationId, value: organizationId },
      { key: attributeKeys.siteId, value: siteId },
      { key: attributeKeys.taskType, value: 'batch' },
      { key: attributeKeys.publish, value: publish },
      { key: attributeKeys.createdBy, value: creatorAttribute(createdBy) },
    ],
    priority: { fairnessKey: organizationId },
    staticSummary: summaryLine(`${summarySiteName(siteName)}: ${title}`),
    staticDetails: batchDetails(batch),
  };
}

/** Markdown for the Temporal UI. */
function batchDetails({ batchId, siteId, publish, requestId, model }: BatchToRun): string {
  const optionTexts = [
    `Site \`${siteId}\``,
    `publish: ${publish}`,
    ...(requestId === undefined ? [] : [`request \`${requestId}\``]),
    ...(model === undefined ? [] : [`model \`${model}\``]),
  ];
  return `Batch \`${batchId}\`: the database has the state of its rows. ${optionTexts.join(', ')}`;
}
