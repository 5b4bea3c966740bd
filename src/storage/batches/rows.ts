import { type Kysely, type Selectable, sql } from 'kysely';
import type { BatchRow, RowState, RowView, WrittenRow } from '../../contract/batch.ts';
import type { BatchStore } from '../../contract/batchStore.ts';
import { defined } from '../../contract/defined.ts';
import type { Note, WrittenPage } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { Schema } from '../schema.ts';
import type { Sealing } from './sealing.ts';

type Row = Selectable<Schema['batch_rows']>;
type Reads = Pick<BatchStore, 'rows' | 'unplanned' | 'next' | 'templates' | 'input' | 'pages'>;
type Writes = Pick<
  BatchStore,
  'plan' | 'failTemplate' | 'written' | 'measured' | 'addNotes' | 'fail' | 'move' | 'show'
>;

/** States that a step does not change any more. */
const settled = ['published', 'skipped'] as const satisfies RowState[];
/** States of rows that are still to be made, or to be published. */
const open = ['waiting', 'written', 'held'] as const satisfies RowState[];

/** Reads the rows of batches. */
export function createRowReads(db: Kysely<Schema>, sealing: Sealing): Reads {
  const of = (batchId: string) => db.selectFrom('batch_rows').where('batch_id', '=', batchId);
  return {
    async rows(batchId, { after, limit, state }) {
      const rows = await of(batchId)
        .selectAll()
        .where('number', '>', after)
        .$if(state !== undefined, (query) => query.where('state', '=', state!))
        .orderBy('number')
        .limit(limit)
        .execute();
      return rows.map((row) => viewOf(row, sealing));
    },

    async unplanned(batchId, limit) {
      const rows = await of(batchId)
        .select(['number', 'target_slug', 'template_slug'])
        .where('state', '=', 'waiting')
        .where('path', 'is', null)
        .orderBy('number')
        .limit(limit)
        .execute();
      return rows.map(({ number, target_slug, template_slug }) => ({
        number,
        targetPageSlug: target_slug,
        templatePageSlug: template_slug,
      }));
    },

    async next(batchId, { state, limit, upTo }) {
      const rows = await of(batchId)
        .select(['number', 'target_slug', 'path', 'template_slug'])
        .where('state', '=', state)
        .where('path', 'is not', null)
        .$if(upTo !== undefined, (query) => query.where('number', '<=', upTo!))
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
      const rows = await of(batchId)
        .select('template_slug')
        .distinct()
        .where('state', 'in', open)
        .orderBy('template_slug')
        .execute();
      return rows.map(({ template_slug }) => template_slug);
    },

    async input(batchId, number) {
      const row = await of(batchId)
        .select(['input', 'target_slug', 'template_slug'])
        .where('number', '=', number)
        .executeTakeFirst();
      if (!row) throw new DomainError('NOT_FOUND', `Row ${number} of the batch is gone`);
      return {
        number,
        targetPageSlug: row.target_slug,
        templatePageSlug: row.template_slug,
        ...sealing.open<Pick<BatchRow, 'context' | 'externalId' | 'facts'>>(
          row.input,
          placeOf(batchId, number, 'input'),
        ),
      };
    },

    async pages(batchId, numbers) {
      if (numbers.length === 0) return [];
      const rows = await of(batchId)
        .selectAll()
        .where('number', 'in', numbers)
        .where('page', 'is not', null)
        .orderBy('number')
        .execute();
      return rows.map((row): WrittenRow => ({
        number: row.number,
        slug: row.target_slug,
        path: row.path!,
        templatePageSlug: row.template_slug,
        page: sealing.open<WrittenPage>(row.page!, placeOf(batchId, row.number, 'page')),
        ...defined({ ownShare: row.own_share ?? undefined }),
      }));
    },
  };
}

/** Writes the rows of batches. */
export function createRowWrites(db: Kysely<Schema>, sealing: Sealing): Writes {
  const of = (batchId: string) => db.selectFrom('batch_rows').where('batch_id', '=', batchId);
  const update = (batchId: string) => db.updateTable('batch_rows').where('batch_id', '=', batchId);
  return {
    plan: (batchId, targets) =>
      setMany(db, batchId, { types: 'path text', set: 'path = given.path', rows: targets }),

    async failTemplate(batchId, templatePageSlug, error) {
      const rows = await of(batchId)
        .select('number')
        .where('template_slug', '=', templatePageSlug)
        .where('state', 'in', open)
        .execute();
      await failRows(db, sealing, {
        batchId,
        rows: rows.map(({ number }) => ({ number, error })),
      });
    },

    async written(batchId, number, { page, isHeld, ownShare }) {
      const { notes = [], ...texts } = page;
      await update(batchId)
        .where('number', '=', number)
        .where('state', 'in', open)
        .set({
          state: isHeld ? 'held' : 'written',
          page: sealing.seal(texts, placeOf(batchId, number, 'page')),
          notes: sealing.seal(notes, placeOf(batchId, number, 'notes')),
          error: null,
          ...defined({ own_share: ownShare }),
        })
        .execute();
    },

    measured: (batchId, rows) =>
      setMany(db, batchId, {
        types: 'share double precision',
        set: 'own_share = given.share',
        rows: rows.map(({ number, ownShare }) => ({ number, share: ownShare })),
      }),

    async addNotes(batchId, added) {
      const numbers = added.map(({ number }) => number);
      if (numbers.length === 0) return;
      const rows = await of(batchId)
        .select(['number', 'notes'])
        .where('number', 'in', numbers)
        .execute();
      const more = new Map(added.map(({ number, notes }) => [number, notes]));
      const given = rows.map(({ number, notes }) => {
        const place = placeOf(batchId, number, 'notes');
        const before = notes ? sealing.open<Note[]>(notes, place) : [];
        const isNew = ({ text }: Note) => !before.some((note) => note.text === text);
        const all = [...before, ...more.get(number)!.filter(isNew)];
        return { number, notes: sealing.seal(all, place).toString('base64') };
      });
      await setMany(db, batchId, {
        types: 'notes text',
        set: "notes = decode(given.notes, 'base64')",
        rows: given,
      });
    },

    fail: (batchId, rows) => failRows(db, sealing, { batchId, rows }),

    async move(batchId, { from, to, numbers }) {
      if (numbers?.length === 0) return 0;
      const moved = await update(batchId)
        .where('state', 'in', from)
        .where('is_wrong', '=', false)
        .$if(numbers !== undefined, (query) => query.where('number', 'in', numbers!))
        .set({ state: to, ...(to === 'waiting' && { error: null }) })
        .executeTakeFirst();
      return Number(moved.numUpdatedRows);
    },

    show: (batchId, pages) =>
      setMany(db, batchId, {
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

/** Fails rows, unless they are settled. */
async function failRows(
  db: Kysely<Schema>,
  sealing: Sealing,
  { batchId, rows }: { batchId: string; rows: { number: number; error: string }[] },
): Promise<void> {
  const given = rows.map(({ number, error }) => ({
    number,
    error: sealing.seal(error, placeOf(batchId, number, 'error')).toString('base64'),
  }));
  const isSettled = `batch_rows.state in (${settled.map((state) => `'${state}'`).join(', ')})`;
  await setMany(db, batchId, {
    types: 'error text',
    set:
      `state = case when ${isSettled} then batch_rows.state else 'failed' end, ` +
      `error = case when ${isSettled} then batch_rows.error else decode(given.error, 'base64') end`,
    rows: given,
  });
}

const placeOf = (batchId: string, number: number, column: string) => [
  batchId,
  String(number),
  column,
];

interface Many {
  /** Columns of what is given, with their types. */
  types: string;
  /** The assignments; `given` is the row that is given. */
  set: string;
  rows: { number: number }[];
}

/** Sets columns of many rows by one statement. */
async function setMany(
  db: Kysely<Schema>,
  batchId: string,
  { types, set, rows }: Many,
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update batch_rows set ${sql.raw(set)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (number integer, ${sql.raw(types)})
    where batch_rows.batch_id = ${batchId} and batch_rows.number = given.number`.execute(db);
}

function viewOf(row: Row, sealing: Sealing): RowView {
  const read = <T>(bytes: Uint8Array, column: string) =>
    sealing.open<T>(bytes, placeOf(row.batch_id, row.number, column));
  const { externalId } = read<Pick<BatchRow, 'externalId'>>(row.input, 'input');
  const notes = row.notes ? read<Note[]>(row.notes, 'notes') : [];
  return {
    number: row.number,
    targetPageSlug: row.target_slug,
    state: row.state,
    ...defined({
      externalId,
      error: row.error ? read<string>(row.error, 'error') : undefined,
      notes: notes.length > 0 ? notes : undefined,
      ownShare: row.own_share ?? undefined,
    }),
    previewUrl: row.preview_url,
    publishedUrl: row.published_url,
  };
}
