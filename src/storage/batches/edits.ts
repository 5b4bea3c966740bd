import type { Kysely } from 'kysely';
import { editableStates } from '../../contract/batch.ts';
import type { BatchStore } from '../../contract/batchStore.ts';
import { defined } from '../../contract/defined.ts';
import type { Schema } from '../schema.ts';
import { failRows, isEdited, setMany, viewed, viewOf } from './rows.ts';

type Edits = Pick<BatchStore, 'editable' | 'edit' | 'at' | 'giveWay' | 'keepEdits' | 'takeOver'>;

/**
 * Notes edits by hand of batches' pages.
 * @param now milliseconds since 1970
 */
export function createBatchEdits(db: Kysely<Schema>, now: () => number): Edits {
  const of = (batchId: string) => db.selectFrom('batch_rows').where('batch_id', '=', batchId);
  return {
    async editable(batchId, slug) {
      const row = await of(batchId)
        .select(viewed)
        .where('target_slug', '=', slug)
        .where('state', 'in', editableStates)
        .where('preview_url', 'is not', null)
        .orderBy('number')
        .limit(1)
        .executeTakeFirst();
      return row ? viewOf(row) : null;
    },

    edit: (batchId, number) =>
      db.transaction().execute((tx) => noteEdit(tx, { batchId, number, at: new Date(now()) })),

    async at(batchId, paths) {
      if (paths.length === 0) return [];
      const rows = await of(batchId)
        .select(['number', 'target_slug', 'path', 'state', isEdited])
        .where('path', 'in', paths)
        .where('state', '!=', 'skipped')
        .orderBy('number')
        .execute();
      return rows.map(({ target_slug: slug, path, ...row }) => ({ ...row, slug, path: path! }));
    },

    async giveWay(batchId, { commit, rows }) {
      if (rows.length === 0) return;
      await db.transaction().execute(async (tx) => {
        await failRows(tx, { batchId, rows, states: ['committed', 'published'] });
        // without an edit they are planned as new rows are: people may have made their pages
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
      setMany(db, batchId, {
        types: 'edit text',
        set: 'edit = given.edit',
        rows: edits.map(({ number, edit }) => ({
          number,
          edit: JSON.stringify(edit),
        })),
      }),

    takeOver: (batchId, { shown, commit, edited }) =>
      db.transaction().execute(async (tx) => {
        await tx
          .updateTable('batches')
          .set({ shown, ...defined({ commit }) })
          .where('id', '=', batchId)
          .execute();
        await publishAgain(tx, batchId, edited);
      }),
  };
}

async function noteEdit(
  tx: Kysely<Schema>,
  { batchId, number, at }: { batchId: string; number: number; at: Date },
): Promise<boolean> {
  // a run that starts meanwhile waits for this transaction
  const { numUpdatedRows } = await tx
    .updateTable('batches')
    .set({ changed_at: at })
    .where('id', '=', batchId)
    .where('status', 'not in', ['running', 'cancelled'])
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
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

/** Those of the rows that are live get edits that are not. */
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
