import type { Selectable } from 'kysely';
import type { Batch } from '../../contract/batches/batch.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { creatorFromIds } from '../../contract/creator.ts';
import { DomainError } from '../../errors.ts';
import type { Schema } from '../schema.ts';

export const batchNotFound = () => new DomainError('NOT_FOUND', 'Batch not found');

/**
 * Reads a value from a text column. Its values are JSON, since a text in the database can't contain
 * U+0000 or half a character (an unpaired surrogate).
 */
export const parseColumn = <T>(columnText: string) => JSON.parse(columnText) as T;

/** Makes a batch from its row in the table `batches`. */
export function batchFromRow(batchRow: Selectable<Schema['batches']>): Batch {
  return {
    batchId: batchRow.id,
    organizationId: batchRow.organization_id,
    siteId: batchRow.site_id,
    createdAt: batchRow.created_at.toISOString(),
    createdBy: creatorFromIds(batchRow.created_by_user, batchRow.created_by_key)!,
    status: batchRow.status,
    publish: batchRow.publish,
    onWarnings: batchRow.on_warnings,
    canaryApproved: batchRow.canary_approved,
    ...(batchRow.is_publishing && { isPublishing: true }),
    ...(batchRow.is_untold && { isUnreported: true }),
    ...parseColumn<Pick<Batch, 'title' | 'callbackUrl'>>(batchRow.texts),
    ...withoutUndefined({
      requestId: batchRow.request_id ?? undefined,
      holdBelow: batchRow.hold_below ?? undefined,
      linkFrom: batchRow.link_from ?? undefined,
      canary: batchRow.canary ?? undefined,
      model: batchRow.model ?? undefined,
      base: batchRow.base ?? undefined,
      commit: batchRow.commit ?? undefined,
      shown: batchRow.shown ?? undefined,
      pullRequestUrl: batchRow.pull_request_url ?? undefined,
      finishedAt: batchRow.finished_at?.toISOString(),
      errorMessage: batchRow.error ? parseColumn<string>(batchRow.error) : undefined,
    }),
  };
}
