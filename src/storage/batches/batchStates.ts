import type { Kysely } from 'kysely';
import { type RowState, WORKFLOW_GONE } from '../../contract/batches/batch.ts';
import type { BatchChanges, BatchStore } from '../../contract/batches/batchStore.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import type { Schema } from '../schema.ts';
import { batchNotFound, batchFromRow } from './batchFromRow.ts';
import { countRows } from './countRows.ts';

const MINUTE = 60_000;

type BatchStateMethods = Pick<
  BatchStore,
  'change' | 'begin' | 'beginPublish' | 'selectForPublish' | 'end' | 'lost'
>;

/**
 * Makes the methods that change the state of batches, see `BatchStore`. A person may pause or
 * cancel a batch while its workflow publishes or ends it: conditions on the status, and row locks,
 * decide which of the two comes first.
 */
export function createBatchStates(db: Kysely<Schema>): BatchStateMethods {
  return {
    async change(batchId, changes, statesBefore) {
      const { numUpdatedRows } = await db
        .updateTable('batches')
        .set(changedColumns(changes))
        .set({ changed_at: new Date() })
        .where('id', '=', batchId)
        .$if(statesBefore !== undefined, (query) =>
          query.where('status', 'in', statesBefore!).where('is_publishing', '=', false),
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
        // an approval meanwhile waits for a person to publish
        .where('publish', '=', true)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    selectForPublish: (batchId, selection) => selectRowsForPublish(db, batchId, selection),

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
        const changes = decide(batchFromRow(row), rows!);
        await tx
          .updateTable('batches')
          .set({ ...changedColumns(changes ?? {}), is_publishing: false })
          .set({ is_untold: false })
          .set({ changed_at: new Date() })
          .where('id', '=', batchId)
          .execute();
      }),

    async lost(batchId) {
      const currentTime = new Date();
      await db
        .updateTable('batches')
        .set({
          status: 'failed',
          is_publishing: false,
          is_untold: true,
          finished_at: currentTime,
          changed_at: currentTime,
          error: JSON.stringify(WORKFLOW_GONE),
        })
        .where('id', '=', batchId)
        .where('status', '=', 'running')
        .where('changed_at', '<', new Date(Date.now() - MINUTE))
        .execute();
      const untoldBatch = await db
        .selectFrom('batches')
        .selectAll()
        .where('id', '=', batchId)
        .where('is_untold', '=', true)
        .executeTakeFirst();
      return untoldBatch && batchFromRow(untoldBatch);
    },
  };
}

const selectRowsForPublish = (
  db: Kysely<Schema>,
  batchId: string,
  { publish, hold, commit }: Parameters<BatchStore['selectForPublish']>[1],
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const moveRows = (numbers: number[], from: RowState[], to: RowState) =>
      tx
        .updateTable('batch_rows')
        .set({ state: to })
        .where('batch_id', '=', batchId)
        .where('number', 'in', numbers)
        .where('state', 'in', from)
        .execute();
    if (hold.length === 0) return void (await moveRows(publish, ['held'], 'written'));
    await tx.updateTable('batches').set({ commit }).where('id', '=', batchId).execute();
    await moveRows(hold, ['committed'], 'held');
    await moveRows(publish, ['committed', 'held'], 'written');
  });

function changedColumns(changes: BatchChanges) {
  const { status, errorMessage, canaryApproved, finishedAt, ...otherChanges } = changes;
  const { isUnreported, pullRequestUrl, ...commitColumns } = otherChanges;
  // a batch that continues has neither an error nor an end
  const begunColumns =
    status === 'running' ? { error: null, finished_at: null, is_untold: false } : {};
  return {
    ...commitColumns,
    ...begunColumns,
    ...(status !== undefined && { status, is_publishing: false }),
    ...withoutUndefined({
      canary_approved: canaryApproved,
      is_untold: isUnreported,
      pull_request_url: pullRequestUrl,
    }),
    ...(errorMessage !== undefined && { error: JSON.stringify(errorMessage) }),
    ...(finishedAt !== undefined && { finished_at: new Date(finishedAt) }),
  };
}
