import type { BatchEnd } from '../contract/batch.ts';
import { defined } from '../contract/defined.ts';
import type { FinishedView, Page } from '../contract/task.ts';

/**
 * The callback's payload (docs/contract.md, section 7.4). Created pages come before modified
 * ones. Every attempt sends the same bytes.
 */
export const callbackBody = (taskId: string, finished: FinishedView): string =>
  JSON.stringify(payloadOf(taskId, finished));

/** The payload of a test callback: that of a finished task, with `test` as its mark. */
export const testCallbackBody = (taskId: string, finished: FinishedView): string =>
  JSON.stringify({ ...payloadOf(taskId, finished), test: true });

function payloadOf(taskId: string, finished: FinishedView): object {
  const { finishedAt: timestamp } = finished;
  if (finished.status === 'failed')
    return { taskId, status: 'failed', error: finished.errorMessage, timestamp };
  const pages = [...finished.output.pagesCreated, ...finished.output.pagesModified].map(pageOf);
  return { taskId, status: 'succeeded', pages, timestamp };
}

/** The payload of a batch's callback: counts of its rows, and where they are read. */
export const batchCallbackBody = ({ errorMessage, finishedAt, ...end }: BatchEnd): string =>
  JSON.stringify({ ...end, ...defined({ error: errorMessage }), timestamp: finishedAt });

/** A batch can end again, after a retry of its rows: each end is an event of its own. */
export const webhookIdOf = ({ batchId, finishedAt }: BatchEnd) =>
  `${batchId}-${Date.parse(finishedAt)}`;

function pageOf({ slug, previewUrl, editUrl, publishedUrl, externalId }: Page): Page {
  return defined({ slug, previewUrl, editUrl, publishedUrl, externalId });
}
