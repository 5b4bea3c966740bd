import type { Batch } from '../../contract/batches/batch.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import type { Site } from '../../contract/site.ts';
import type { BatchToRun } from '../../temporal/batches/batches.ts';

/** Selects what a run of a batch's workflow needs. The database has the rest. */
export function batchToRun(
  batch: Omit<Batch, 'status' | 'canaryApproved'>,
  { name: siteName }: Pick<Site, 'name'>,
): BatchToRun {
  const { batchId, organizationId, siteId, createdAt, createdBy, publish, title } = batch;
  const { callbackUrl, model, requestId } = batch;
  return {
    batchId,
    organizationId,
    siteId,
    siteName,
    createdAt,
    createdBy,
    publish,
    title,
    ...withoutUndefined({ callbackUrl, model, requestId }),
  };
}
