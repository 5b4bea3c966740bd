import { type Kysely, type Selectable, sql } from 'kysely';
import {
  type BatchRow,
  type PageEdit,
  type RowRepair,
  type RowState,
  rowStates,
  type RowView,
  type WrittenRow,
} from '../../contract/batches/batch.ts';
import type { BatchStore } from '../../contract/batches/batchStore.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { mergeNotes } from '../../contract/notes/mergeNotes.ts';
import type { Note, WrittenPage } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { Schema } from '../schema.ts';
import { parseColumn } from './batchFromRow.ts';

type BatchRowColumns = Selectable<Schema['batch_rows']>;
type RowReadMethods = Pick<
  BatchStore,
  'rows' | 'unplanned' | 'next' | 'templates' | 'input' | 'pages'
>;
type RowWriteMethods = Pick<
  BatchStore,
  | 'plan'
  | 'failTemplate'
  | 'written'
  | 'storeShares'
  | 'addNotes'
  | 'fail'
  | 'move'
  | 'commitRows'
  | 'show'
>;

/** States of rows whose pages may still be made, or are in no commit that may be published. */
const unfinishedStates = ['waiting', 'written', 'held'] as const satisfies RowState[];

/** Whether somebody edited a row's page by hand. */
export const isEdited = sql<boolean>`edit is not null`.as('isEdited');

/** Makes the methods that read the rows of batches, see `BatchStore`. */
export function createRowReads(db: Kysely<Schema>): RowReadMethods {
  const rowsOfBatch = (batchId: string) =>
    db.selectFrom('batch_rows').where('batch_id', '=', batchId);
  return {
    async rows(batchId, { after, limit, state }) {
      const rows = await rowsOfBatch(batchId)
        .select(viewColumns)
        .where('number', '>', after)
        .$if(state !== undefined, (query) => query.where('state', '=', state!))
        .orderBy('number')
        .limit(limit)
        .execute();
      return rows.map((row) => presentRowView(row));
    },

    async unplanned(batchId, limit) {
      const rows = await rowsOfBatch(batchId)
        .select(['number', 'target_slug', 'template_slug', isEdited])
        .where('state', '=', 'waiting')
        .where('path', 'is', null)
        .orderBy('number')
        .limit(limit)
        .execute();
      return rows.map(({ target_slug, template_slug, ...row }) => ({
        ...row,
        targetPageSlug: target_slug,
        templatePageSlug: template_slug,
      }));
    },

    async next(batchId, { state, limit, canary }) {
      const rows = await rowsOfBatch(batchId)
        .select(['number', 'target_slug', 'path', 'template_slug'])
        .where('state', '=', state)
        .where('path', 'is not', null)
        .$if(canary !== undefined, (query) =>
          query.where('number', 'in', firstRowNumbers(db, batchId, canary!)),
        )
        .orderBy('number')
        .limit(limit)
        .execute();
      return rows.map(({ number, target_slug, path, template_slug }) => ({
        number,
        slug: target_slug,
        path: path!,
        templatePageSlug: template_slug,
      }));
    },

    async templates(batchId) {
      const rows = await rowsOfBatch(batchId)
        .select('template_slug')
        .distinct()
        .where('state', 'in', unfinishedStates)
        .orderBy('template_slug')
        .execute();
      return rows.map(({ template_slug }) => template_slug);
    },

    async input(batchId, number) {
      const row = await rowsOfBatch(batchId)
        .select(['input', 'external_id', 'target_slug', 'template_slug'])
        .where('number', '=', number)
        .executeTakeFirst();
      if (!row) throw new DomainError('NOT_FOUND', `The batch has no row ${number} any more`);
      return {
        number,
        targetPageSlug: row.target_slug,
        templatePageSlug: row.template_slug,
        ...parseColumn<Pick<BatchRow, 'context' | 'facts'>>(row.input),
        ...withoutUndefined({
          externalId: row.external_id ? parseColumn<string>(row.external_id) : undefined,
        }),
      };
    },

    async pages(batchId, numbers) {
      if (numbers.length === 0) return [];
      const rows = await rowsOfBatch(batchId)
        .select([
          'number',
          'target_slug',
          'template_slug',
          'path',
          'page',
          'own_share',
          'edit',
          'repair',
        ])
        .where('number', 'in', numbers)
        .where('page', 'is not', null)
        .orderBy('number')
        .execute();
      return rows.map((row) => presentWrittenRow(row));
    },
  };
}

/** The numbers of the first rows that neither failed nor were skipped. */
const firstRowNumbers = (db: Kysely<Schema>, batchId: string, count: number) =>
  db
    .selectFrom('batch_rows')
    .select('number')
    .where('batch_id', '=', batchId)
    .where('state', 'not in', ['failed', 'skipped'])
    .orderBy('number')
    .limit(count);

function presentWrittenRow(
  row: Pick<
    BatchRowColumns,
    'number' | 'target_slug' | 'template_slug' | 'path' | 'page' | 'own_share' | 'edit' | 'repair'
  >,
): WrittenRow {
  const {
    number,
    target_slug: slug,
    template_slug: templatePageSlug,
    path,
    page,
    edit,
    repair,
  } = row;
  return {
    number,
    slug,
    path: path!,
    templatePageSlug,
    page: parseColumn<WrittenPage>(page!),
    ...withoutUndefined({
      ownShare: row.own_share ?? undefined,
      edit: edit ? parseColumn<PageEdit>(edit) : undefined,
      repair: repair ? parseColumn<RowRepair>(repair) : undefined,
    }),
  };
}

/** Makes the methods that write the rows of batches, see `BatchStore`. */
export function createRowWrites(db: Kysely<Schema>): RowWriteMethods {
  const rowsOfBatch = (batchId: string) =>
    db.selectFrom('batch_rows').where('batch_id', '=', batchId);
  const updateBatchRows = (batchId: string) =>
    db.updateTable('batch_rows').where('batch_id', '=', batchId);
  return {
    plan: (batchId, targets) =>
      updateRows(db, batchId, {
        types: 'path text',
        set: 'path = coalesce(batch_rows.path, given.path)',
        rows: targets,
      }),

    async failTemplate(batchId, templatePageSlug, error) {
      const rows = await rowsOfBatch(batchId)
        .select('number')
        .where('template_slug', '=', templatePageSlug)
        .where('state', 'in', unfinishedStates)
        .execute();
      await failRows(db, {
        batchId,
        rows: rows.map(({ number }) => ({ number, error })),
      });
    },

    async written(batchId, number, { page, isHeld, ownShare }) {
      const { notes = [], ...pageWithoutNotes } = page;
      // a repeated activity keeps the page that it stored before, which may be in a commit already
      await updateBatchRows(batchId)
        .where('number', '=', number)
        .where('state', '=', 'waiting')
        .set({
          state: isHeld ? 'held' : 'written',
          page: JSON.stringify(pageWithoutNotes),
          notes: JSON.stringify(notes),
          error: null,
          own_share: ownShare ?? null,
        })
        .execute();
    },

    storeShares: (batchId, rows) =>
      updateRows(db, batchId, {
        types: 'share double precision',
        set: 'own_share = given.share',
        rows: rows.map(({ number, ownShare }) => ({ number, share: ownShare })),
      }),

    async addNotes(batchId, addedNotes) {
      const numbers = addedNotes.map(({ number }) => number);
      if (numbers.length === 0) return;
      const rows = await rowsOfBatch(batchId)
        .select(['number', 'notes'])
        .where('number', 'in', numbers)
        .execute();
      const notesByNumber = new Map(addedNotes.map(({ number, notes }) => [number, notes]));
      const changedRows = rows.map(({ number, notes }) => {
        const notesBefore = notes ? parseColumn<Note[]>(notes) : [];
        const isNew = ({ text }: Note) => !notesBefore.some((note) => note.text === text);
        const allNotes = [...notesBefore, ...notesByNumber.get(number)!.filter(isNew)];
        return { number, notes: JSON.stringify(allNotes) };
      });
      await updateRows(db, batchId, {
        types: 'notes text',
        set: 'notes = given.notes',
        rows: changedRows,
      });
    },

    fail: (batchId, rows) => failRows(db, { batchId, rows }),

    async move(batchId, { from, to, numbers, repair }) {
      if (numbers?.length === 0) return 0;
      const moveResult = await updateBatchRows(batchId)
        .where('state', 'in', from)
        .$if(to !== 'skipped', (query) => query.where('is_wrong', '=', false))
        .$if(numbers !== undefined, (query) => query.where('number', 'in', numbers!))
        .set({ state: to, ...(to === 'waiting' && { error: null }) })
        .$if(repair !== undefined, (query) => query.set({ repair: JSON.stringify(repair) }))
        .executeTakeFirst();
      return Number(moveResult.numUpdatedRows);
    },

    commitRows: (batchId, rows) => commitWrittenRows(db, batchId, rows),

    show: (batchId, pages) =>
      updateRows(db, batchId, {
        types: 'preview text, published text',
        set:
          'preview_url = coalesce(given.preview, batch_rows.preview_url), ' +
          'published_url = coalesce(given.published, batch_rows.published_url)',
        rows: pages.map(({ number, previewUrl = null, publishedUrl = null }) => ({
          number,
          preview: previewUrl,
          published: publishedUrl,
        })),
      }),
  };
}

async function commitWrittenRows(
  db: Kysely<Schema>,
  batchId: string,
  { commit, numbers }: { commit: string; numbers: number[] },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // the lock waits until a person's skip of these rows is done, and makes a later skip wait
    const writtenRows = await tx
      .selectFrom('batch_rows')
      .select('number')
      .where('batch_id', '=', batchId)
      .where('number', 'in', numbers)
      .where('state', '=', 'written')
      .orderBy('number')
      .forUpdate()
      .execute();
    if (writtenRows.length < numbers.length) return false;
    await tx
      .updateTable('batch_rows')
      .set({ state: 'committed' })
      .where('batch_id', '=', batchId)
      .where('number', 'in', numbers)
      .execute();
    await tx
      .updateTable('batches')
      .set({ commit, shown: commit })
      .where('id', '=', batchId)
      .execute();
    return true;
  });
}

interface FailedRows {
  batchId: string;
  rows: { number: number; error: string }[];
  /** Fails only rows in these states. Default: `unfinishedStates`. */
  states?: readonly RowState[];
}

/** Sets rows to the state `failed`, each with its error. */
export async function failRows(
  db: Kysely<Schema>,
  { batchId, rows, states = unfinishedStates }: FailedRows,
): Promise<void> {
  await updateRows(db, batchId, {
    types: 'error text',
    set: "state = 'failed', error = given.error",
    states,
    rows: rows.map(({ number, error }) => ({
      number,
      error: JSON.stringify(error),
    })),
  });
}

interface RowUpdates {
  /** The properties of `rows` besides `number`, with their SQL types: `path text`. */
  types: string;
  /** SQL assignments, in which `given` is one of `rows`: `path = given.path`. */
  set: string;
  /** Updates only rows in these states. Default: all. */
  states?: readonly RowState[];
  /** The new values, by the number of the row. */
  rows: { number: number }[];
}

/** Updates many rows of a batch, each with its own values, by one statement. */
export async function updateRows(
  db: Kysely<Schema>,
  batchId: string,
  { types: columnTypes, set: assignments, states = rowStates, rows }: RowUpdates,
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update batch_rows set ${sql.raw(assignments)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (number integer, ${sql.raw(columnTypes)})
    where batch_rows.batch_id = ${batchId} and batch_rows.number = given.number
      and batch_rows.state in (${sql.join(states)})`.execute(db);
}

/** The columns that `presentRowView` needs. */
export const viewColumns = [
  'number',
  'target_slug',
  'state',
  'own_share',
  'preview_url',
  'published_url',
  'external_id',
  'notes',
  'error',
] as const;

/** Makes what clients see of a row, such as its state, notes and URLs. */
export function presentRowView(row: Pick<BatchRowColumns, (typeof viewColumns)[number]>): RowView {
  const readColumn = <T>(columnText: string | null) =>
    columnText ? parseColumn<T>(columnText) : undefined;
  const notes = mergeNotes(readColumn<Note[]>(row.notes) ?? []);
  return {
    number: row.number,
    targetPageSlug: row.target_slug,
    state: row.state,
    ...withoutUndefined({
      externalId: readColumn<string>(row.external_id),
      error: readColumn<string>(row.error),
      notes: notes.length > 0 ? notes : undefined,
      ownShare: row.own_share ?? undefined,
    }),
    previewUrl: row.preview_url,
    publishedUrl: row.published_url,
  };
}
