import type { Selectable } from 'kysely';
import type { Batch } from '../../contract/batch.ts';
import { defined } from '../../contract/defined.ts';
import { makerFrom } from '../../contract/maker.ts';
import { DomainError } from '../../errors.ts';
import type { Schema } from '../schema.ts';

export const batchNotFound = () => new DomainError('NOT_FOUND', 'Batch not found');

/**
 * Reads a value of a column of texts. Values are JSON there, since a text of the database holds
 * neither U+0000 nor half a character.
 */
export const parsed = <T>(text: string) => JSON.parse(text) as T;

/** A batch as its row has it. */
export function batchOf(row: Selectable<Schema['batches']>): Batch {
  return {
    batchId: row.id,
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
    ...parsed<Pick<Batch, 'title' | 'callbackUrl'>>(row.texts),
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
      errorMessage: row.error ? parsed<string>(row.error) : undefined,
    }),
  };
}
