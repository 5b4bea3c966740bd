import { RULES } from '../../../agents/modelAssignment.ts';
import type { BatchResponse, BatchRowResponse } from '../../../contract/responses.ts';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import type { CreatorNames } from '../../../organizations/creatorNames.ts';
import type { BatchView, RowWithStates } from '../../../tasks/batches/read.ts';
import { presentNotes } from '../tasks/tasks.present.ts';

/**
 * The response bodies of batches, with the names of their creators. Fields are named one by one, so
 * that new fields are not exposed by accident.
 */
export async function presentBatches(
  creators: CreatorNames,
  views: BatchView[],
): Promise<BatchResponse[]> {
  const creatorNames = await creators.named(views.map(({ batch }) => batch.createdBy));
  return views.map(({ batch, counts, builds, previewUrl }, index) => {
    const { batchId, siteId, status, errorMessage, title, publish, onWarnings } = batch;
    const { holdBelow, linkFrom, canary, canaryApproved, callbackUrl, model = RULES } = batch;
    const { pullRequestUrl } = batch;
    return {
      batchId,
      siteId,
      status,
      ...withoutUndefined({ errorMessage }),
      rows: counts,
      title,
      createdBy: creatorNames[index]!,
      createdAt: batch.createdAt,
      finishedAt: batch.finishedAt ?? null,
      publish,
      onWarnings,
      ...withoutUndefined({
        holdBelow,
        linkFrom,
        canary,
        canaryApproved: canary === undefined ? undefined : canaryApproved,
        callbackOrigin: callbackUrl && new URL(callbackUrl).origin,
      }),
      model,
      previewUrl,
      ...withoutUndefined({ pullRequestUrl, usage: builds > 0 ? { builds } : undefined }),
    };
  });
}

export async function presentBatch(
  creators: CreatorNames,
  view: BatchView,
): Promise<BatchResponse> {
  const [batch] = await presentBatches(creators, [view]);
  return batch!;
}

export function presentRow({ row, editUrl, states }: RowWithStates): BatchRowResponse {
  const { notes, ...fields } = row;
  return { ...fields, ...(notes && { notes: presentNotes(notes, states) }), editUrl };
}
