import type { BatchOutcome } from '../contract/batches/batch.ts';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import type { TaskOutcome, Page } from '../contract/task.ts';

/**
 * The callback's payload (docs/contract.md, section 7.4). Created pages come before modified
 * ones. Every attempt sends the same bytes.
 */
export const callbackBody = (taskId: string, finished: TaskOutcome): string =>
  JSON.stringify(callbackPayload(taskId, finished));

/** The payload of a test callback: that of a finished task, with `"test": true` added. */
export const testCallbackBody = (taskId: string, finished: TaskOutcome): string =>
  JSON.stringify({ ...callbackPayload(taskId, finished), test: true });

function callbackPayload(taskId: string, finished: TaskOutcome): object {
  const { finishedAt: timestamp } = finished;
  if (finished.status === 'failed')
    return { taskId, status: 'failed', error: finished.errorMessage, timestamp };
  const pages = [...finished.output.pagesCreated, ...finished.output.pagesModified].map(
    callbackPage,
  );
  return { taskId, status: 'succeeded', pages, timestamp };
}

/**
 * The payload of a batch's callback: the counts of its rows, and the URL at which they can be read.
 */
export const batchCallbackBody = ({ errorMessage, finishedAt, ...outcome }: BatchOutcome): string =>
  JSON.stringify({
    ...outcome,
    ...withoutUndefined({ error: errorMessage }),
    timestamp: finishedAt,
  });

/**
 * The `webhook-id` of a batch's callback. A batch that ends again, after a retry of its rows, gets
 * another one, because receivers ignore an id that they have seen before.
 */
export const batchWebhookId = ({ batchId, finishedAt }: BatchOutcome) =>
  `${batchId}-${Date.parse(finishedAt)}`;

function callbackPage({ slug, previewUrl, editUrl, publishedUrl, externalId }: Page): Page {
  return withoutUndefined({ slug, previewUrl, editUrl, publishedUrl, externalId });
}
