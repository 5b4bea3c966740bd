import { RULES } from '../../agents/assignment.ts';
import type { Batch, BatchRow } from '../../contract/answers.ts';
import { defined } from '../../contract/defined.ts';
import type { Makers } from '../../organizations/makers.ts';
import type { BatchView, ReadRow } from '../../tasks/batches/read.ts';
import { presentNotes } from './tasks.present.ts';

/** Batches with the names of their makers. Fields are named, so that no other one is exposed. */
export async function presentBatches(makers: Makers, views: BatchView[]): Promise<Batch[]> {
  const named = await makers.named(views.map(({ batch }) => batch.createdBy));
  return views.map(({ batch, counts, builds, previewUrl }, at) => {
    const { batchId, siteId, status, errorMessage, title, publish, onWarnings } = batch;
    const { holdBelow, linkFrom, canary, canaryApproved, callbackUrl, model = RULES } = batch;
    const { pullRequestUrl } = batch;
    return {
      batchId,
      siteId,
      status,
      ...defined({ errorMessage }),
      rows: counts,
      title,
      createdBy: named[at]!,
      createdAt: batch.createdAt,
      finishedAt: batch.finishedAt ?? null,
      publish,
      onWarnings,
      ...defined({
        holdBelow,
        linkFrom,
        canary,
        canaryApproved: canary === undefined ? undefined : canaryApproved,
        callbackOrigin: callbackUrl && new URL(callbackUrl).origin,
      }),
      model,
      previewUrl,
      ...defined({ pullRequestUrl, usage: builds > 0 ? { builds } : undefined }),
    };
  });
}

export async function presentBatch(makers: Makers, view: BatchView): Promise<Batch> {
  const [batch] = await presentBatches(makers, [view]);
  return batch!;
}

export function presentRow({ row, editUrl, states }: ReadRow): BatchRow {
  const { notes, ...fields } = row;
  return { ...fields, ...(notes && { notes: presentNotes(notes, states) }), editUrl };
}
