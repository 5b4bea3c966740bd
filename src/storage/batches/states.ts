import type { Kysely } from 'kysely';
import { WORKFLOW_GONE } from '../../contract/batch.ts';
import type { BatchChanges, BatchStore } from '../../contract/batchStore.ts';
import { defined } from '../../contract/defined.ts';
import type { Schema } from '../schema.ts';
import { batchNotFound, batchOf } from './batchOf.ts';
import { countRows } from './counts.ts';

const MINUTE = 60_000;

type States = Pick<BatchStore, 'change' | 'begin' | 'beginPublish' | 'end' | 'lost'>;

/**
 * Changes batches, and decides between people who stop or start one and its run.
 * @param now milliseconds since 1970
 */
export function createBatchStates(db: Kysely<Schema>, now: () => number): States {
  return {
    async change(batchId, changes, from) {
      const { numUpdatedRows } = await db
        .updateTable('batches')
        .set(columnsOf(changes))
        .set({ changed_at: new Date(now()) })
        .where('id', '=', batchId)
        .$if(from !== undefined, (query) =>
          query.where('status', 'in', from!).where('is_publishing', '=', false),
        )
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    begin: (batchId, base) =>
      db.transaction().execute(async (tx) => {
        await tx
          .updateTable('batches')
          .set({ base, commit: null })
          .where('id', '=', batchId)
          .execute();
        await tx
          .updateTable('batch_rows')
          .set({ path: null })
          .where('batch_id', '=', batchId)
          .where('state', '=', 'waiting')
          .where('path', 'is not', null)
          .execute();
      }),

    async beginPublish(batchId) {
      const { numUpdatedRows } = await db
        .updateTable('batches')
        .set({ is_publishing: true })
        .where('id', '=', batchId)
        .where('status', '=', 'running')
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    end: (batchId, decide) =>
      db.transaction().execute(async (tx) => {
        const row = await tx
          .selectFrom('batches')
          .selectAll()
          .where('id', '=', batchId)
          .forUpdate()
          .executeTakeFirst();
        if (!row) throw batchNotFound();
        const [rows] = await countRows(tx, [batchId]);
        const changes = decide(batchOf(row), rows!);
        await tx
          .updateTable('batches')
          .set({ ...columnsOf(changes ?? {}), is_publishing: false })
          .set({ is_untold: false })
          .set({ changed_at: new Date(now()) })
          .where('id', '=', batchId)
          .execute();
      }),

    async lost(batchId) {
      const at = new Date(now());
      await db
        .updateTable('batches')
        .set({
          status: 'failed',
          is_publishing: false,
          is_untold: true,
          finished_at: at,
          changed_at: at,
          error: JSON.stringify(WORKFLOW_GONE),
        })
        .where('id', '=', batchId)
        .where('status', '=', 'running')
        .where('changed_at', '<', new Date(now() - MINUTE))
        .execute();
      const untold = await db
        .selectFrom('batches')
        .selectAll()
        .where('id', '=', batchId)
        .where('is_untold', '=', true)
        .executeTakeFirst();
      return untold && batchOf(untold);
    },
  };
}

function columnsOf(changes: BatchChanges) {
  const { status, errorMessage, canaryApproved, finishedAt, ...others } = changes;
  const { isUntold, pullRequestUrl, ...commits } = others;
  // a batch that goes on has neither an error nor an end
  const begun = status === 'running' ? { error: null, finished_at: null, is_untold: false } : {};
  return {
    ...commits,
    ...begun,
    ...(status !== undefined && { status, is_publishing: false }),
    ...defined({
      canary_approved: canaryApproved,
      is_untold: isUntold,
      pull_request_url: pullRequestUrl,
    }),
    ...(errorMessage !== undefined && { error: JSON.stringify(errorMessage) }),
    ...(finishedAt !== undefined && { finished_at: new Date(finishedAt) }),
  };
}
