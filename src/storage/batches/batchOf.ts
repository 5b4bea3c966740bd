import type { Selectable } from 'kysely';
import type { Batch } from '../../contract/batch.ts';
import { defined } from '../../contract/defined.ts';
import { makerFrom } from '../../contract/maker.ts';
import { DomainError } from '../../errors.ts';
import type { Schema } from '../schema.ts';
import type { Sealing } from './sealing.ts';

export const batchNotFound = () => new DomainError('NOT_FOUND', 'Batch not found');

/** A batch as its row has it. */
export function batchOf(row: Selectable<Schema['batches']>, sealing: Sealing): Batch {
  const batchId = row.id;
  const texts = sealing.open<Pick<Batch, 'title' | 'callbackUrl'>>(row.texts, [batchId, 'texts']);
  return {
    batchId,
    organizationId: row.organization_id,
    siteId: row.site_id,
    createdAt: row.created_at.toISOString(),
    createdBy: makerFrom(row.created_by_user, row.created_by_key)!,
    status: row.status,
    publish: row.publish,
    onWarnings: row.on_warnings,
    canaryApproved: row.canary_approved,
    ...(row.is_publishing && { isPublishing: true }),
    ...(row.is_untold && { isUntold: true }),
    ...texts,
    ...defined({
      requestId: row.request_id ?? undefined,
      holdBelow: row.hold_below ?? undefined,
      linkFrom: row.link_from ?? undefined,
      canary: row.canary ?? undefined,
      model: row.model ?? undefined,
      base: row.base ?? undefined,
      commit: row.commit ?? undefined,
      shown: row.shown ?? undefined,
      pullRequestUrl: row.pull_request_url ?? undefined,
      finishedAt: row.finished_at?.toISOString(),
      errorMessage: row.error ? sealing.open<string>(row.error, [batchId, 'error']) : undefined,
    }),
  };
}
