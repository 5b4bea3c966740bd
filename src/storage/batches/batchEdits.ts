import type { Kysely } from 'kysely';
import { editableStates, REPAIR_UNDONE } from '../../contract/batches/batch.ts';
import type { BatchStore } from '../../contract/batches/batchStore.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import type { Schema } from '../schema.ts';
import { failRows, isEdited, updateRows, viewColumns, presentRowView } from './batchRows.ts';

type BatchEditMethods = Pick<
  BatchStore,
  'editable' | 'edit' | 'at' | 'undoRepair' | 'yieldToProduction' | 'keepEdits' | 'takeOver'
>;

/** Makes the methods that record which pages of batches people edited, see `BatchStore`. */
export function createBatchEdits(db: Kysely<Schema>): BatchEditMethods {
  const rowsOfBatch = (batchId: string) =>
    db.selectFrom('batch_rows').where('batch_id', '=', batchId);
  return {
    async editable(batchId, slug) {
      const row = await rowsOfBatch(batchId)
        .select(viewColumns)
        .where('target_slug', '=', slug)
        .where('state', 'in', editableStates)
        .where('preview_url', 'is not', null)
        .orderBy('number')
        .limit(1)
        .executeTakeFirst();
      return row ? presentRowView(row) : null;
    },

    edit: (batchId, number) =>
      db.transaction().execute((tx) => noteEdit(tx, { batchId, number, at: new Date() })),

    undoRepair: (batchId, numbers) =>
      db.transaction().execute((tx) => failRepairedRows(tx, batchId, numbers)),

    async at(batchId, paths) {
      if (paths.length === 0) return [];
      const rows = await rowsOfBatch(batchId)
        .select(['number', 'target_slug', 'path', 'state', isEdited])
        .where('path', 'in', paths)
        .where('state', '!=', 'skipped')
        .orderBy('number')
        .execute();
      return rows.map(({ target_slug: slug, path, ...row }) => ({ ...row, slug, path: path! }));
    },

    async yieldToProduction(batchId, { commit, rows }) {
      if (rows.length === 0) return;
      await db.transaction().execute(async (tx) => {
        await failRows(tx, { batchId, rows, states: ['committed', 'published'] });
        // rows without an edit are planned again, since people may have made pages at their paths
        await tx
          .updateTable('batch_rows')
          .set({ path: null })
          .where('batch_id', '=', batchId)
          .where(
            'number',
            'in',
            rows.map(({ number }) => number),
          )
          .where('state', '=', 'failed')
          .where('edit', 'is', null)
          .execute();
        if (commit === undefined) return;
        await tx
          .updateTable('batches')
          .set({ commit, shown: commit })
          .where('id', '=', batchId)
          .execute();
      });
    },

    keepEdits: (batchId, edits) =>
      updateRows(db, batchId, {
        types: 'edit text',
        set: 'edit = given.edit',
        rows: edits.map(({ number, edit }) => ({
          number,
          edit: JSON.stringify(edit),
        })),
      }),

    takeOver: (batchId, { shown: shownCommit, commit, edited: editedNumbers }) =>
      db.transaction().execute(async (tx) => {
        await tx
          .updateTable('batches')
          .set({ shown: shownCommit, ...withoutUndefined({ commit }) })
          .where('id', '=', batchId)
          .execute();
        await publishAgain(tx, batchId, editedNumbers);
      }),
  };
}

async function noteEdit(
  tx: Kysely<Schema>,
  { batchId, number, at: editedAt }: { batchId: string; number: number; at: Date },
): Promise<boolean> {
  if (!(await lockIdleBatch(tx, batchId, editedAt))) return false;
  await publishAgain(tx, batchId, [number]);
  const row = await tx
    .selectFrom('batch_rows')
    .select('number')
    .where('batch_id', '=', batchId)
    .where('number', '=', number)
    .where('state', 'in', editableStates)
    .executeTakeFirst();
  return row !== undefined;
}

/** Makes a run that starts meanwhile wait for this transaction. @returns false if one runs */
async function lockIdleBatch(tx: Kysely<Schema>, batchId: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('batches')
    .set({ changed_at: at })
    .where('id', '=', batchId)
    .where('status', 'not in', ['running', 'cancelled'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function failRepairedRows(
  tx: Kysely<Schema>,
  batchId: string,
  numbers: number[],
): Promise<boolean> {
  if (!(await lockIdleBatch(tx, batchId, new Date()))) return false;
  const rows = tx
    .selectFrom('batch_rows')
    .where('batch_id', '=', batchId)
    .where('number', 'in', numbers);
  const livePage = await rows.select('number').where('published_url', 'is not', null).execute();
  if (livePage.length > 0) return false;
  await tx
    .updateTable('batch_rows')
    .set({ state: 'failed', error: JSON.stringify(REPAIR_UNDONE), preview_url: null, edit: null })
    .where('batch_id', '=', batchId)
    .where('number', 'in', numbers)
    .where('state', 'in', editableStates)
    .execute();
  return true;
}

/** Makes rows that are live `committed` again, because their edits are not live yet. */
async function publishAgain(db: Kysely<Schema>, batchId: string, numbers: number[]) {
  if (numbers.length === 0) return;
  await db
    .updateTable('batch_rows')
    .set({ state: 'committed' })
    .where('batch_id', '=', batchId)
    .where('number', 'in', numbers)
    .where('state', '=', 'published')
    .execute();
}
