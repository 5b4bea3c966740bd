import { WorkflowNotFoundError } from '@temporalio/client';
import { defined } from '../../contract/defined.ts';
import {
  type BatchInput,
  BATCH_WORKFLOW,
  CANCEL_SIGNAL,
  PAUSE_SIGNAL,
  RESUME_SIGNAL,
} from '../../contract/batch.ts';
import { type Heartbeats, TASK_QUEUE } from '../../contract/task.ts';
import { siteInSummary, summaryLine } from '../../contract/text.ts';
import { DomainError } from '../../errors.ts';
import { makerAttribute } from '../tasks/startOptions.ts';
import type { Calls } from '../tasks/calls.ts';
import type { Homes } from '../tasks/siteHomes.ts';
import { type TaskStartOptions, tooMany } from '../tasks/startTask.ts';
import { derivedTaskId, randomTaskId } from '../tasks/taskId.ts';
import type { BatchRuns, BatchToRun } from './batches.ts';
import { attributeKeys } from '../../contract/searchAttributes.ts';

const ANSWERS_WITHIN_MS = 4_000;

interface Options extends Pick<
  TaskStartOptions,
  'secret' | 'leases' | 'workflowTaskTimeout' | 'heartbeats'
> {
  calls: Calls;
  homes: Homes | undefined;
}

/** Starts and stops the runs of batches. All runs of a batch have its id. */
export function createBatchRuns({ calls, secret, leases, homes, ...times }: Options): BatchRuns {
  const { workflow } = calls.client;
  const takePlace: BatchRuns['takePlace'] = async ({ batchId: taskId, organizationId, siteId }) => {
    const place = await leases.take({ taskId, organizationId, siteId });
    if (place === 'had') return () => Promise.resolve();
    if (place !== 'taken') throw tooMany(leases.limit);
    // the check of leases gives back what this does not
    return () => leases.giveBack(taskId).catch(() => undefined);
  };
  return {
    takePlace,
    newId: (organizationId, idempotencyKey) =>
      idempotencyKey === undefined
        ? randomTaskId()
        : // a client may use one key for a task and for a batch: no task's key has a space
          derivedTaskId(secret, organizationId, `batch ${idempotencyKey}`),

    async run(batch) {
      await takePlace(batch);
      const start = startOptions(batch, { home: homes?.of(batch.siteId), ...times });
      try {
        await calls.within(ANSWERS_WITHIN_MS, () =>
          workflow.signalWithStart(BATCH_WORKFLOW, start),
        );
      } catch (cause) {
        // a run that may have begun keeps its place: the check of leases decides
        throw new DomainError('START_FAILED', 'Failed to start the batch', {
          cause,
          retryable: true,
          reason: 'Temporal does not answer',
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
    const send = () => workflow.getHandle(batchId).signal(signal);
    await calls.within(ANSWERS_WITHIN_MS, send).catch((cause: unknown) => {
      if (!(cause instanceof WorkflowNotFoundError)) throw unanswered(cause);
    });
  }

  /** Signals the run of a batch, or a new one that works on no row. */
  async function runShortly(batch: BatchToRun, signal: string): Promise<void> {
    const start = startOptions(batch, { home: homes?.of(batch.siteId), ...times });
    await calls
      .within(ANSWERS_WITHIN_MS, () =>
        workflow.signalWithStart(BATCH_WORKFLOW, { ...start, signal }),
      )
      .catch((cause: unknown) => {
        throw unanswered(cause);
      });
  }
}

const unanswered = (cause: unknown) =>
  new DomainError('UNAVAILABLE', 'Temporal does not answer', {
    retryable: true,
    reason: 'Temporal does not answer',
    cause,
  });

interface Times {
  home: string | undefined;
  heartbeats?: Heartbeats;
  workflowTaskTimeout: number;
}

/** An ended run can be followed by another; one that runs is woken. */
function startOptions(batch: BatchToRun, { home, heartbeats, workflowTaskTimeout }: Times) {
  const { batchId: taskId, organizationId, siteId, siteName, createdAt, createdBy, title } = batch;
  const { requestId, model, callbackUrl, publish } = batch;
  const input: BatchInput = {
    taskId,
    organizationId,
    siteId,
    siteName,
    createdAt,
    ...defined({ requestId, model, callbackUrl, home, heartbeats }),
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
      { key: attributeKeys.createdBy, value: makerAttribute(createdBy) },
    ],
    priority: { fairnessKey: organizationId },
    staticSummary: summaryLine(`${siteInSummary(siteName)}: ${title}`),
    staticDetails: detailsOf(batch),
  };
}

/** Markdown for the Temporal UI. */
function detailsOf({ batchId, siteId, publish, requestId, model }: BatchToRun): string {
  const asked = [
    `Site \`${siteId}\``,
    `publish: ${publish}`,
    ...(requestId === undefined ? [] : [`request \`${requestId}\``]),
    ...(model === undefined ? [] : [`model \`${model}\``]),
  ];
  return `Batch \`${batchId}\`: the database has its rows and how far they are. ${asked.join(', ')}`;
}
