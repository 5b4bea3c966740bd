import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { BatchStore, NewBatch } from '../../contract/batches/batchStore.ts';
import { creatorIds } from '../../contract/creator.ts';
import { isTaskId } from '../../contract/task.ts';
import type { Schema } from '../schema.ts';
import { batchNotFound, batchFromRow } from './batchFromRow.ts';
import { countRows } from './countRows.ts';
import { createBatchEdits } from './batchEdits.ts';
import { createBatchStates } from './batchStates.ts';
import { createRowReads, createRowWrites } from './batchRows.ts';

const DAY = 24 * 60 * 60_000;
const ROWS_AT_ONCE = 250;
/** Batches that one statement removes, each with up to 5,000 rows. */
const PRUNED_AT_ONCE = 20;

interface BatchStoreOptions {
  /**
   * Days to keep a batch that does not run, since its last change. Default: forever.
   */
  previewRetention?: number;
}

/**
 * Makes the store of batches and their rows, in the tables `batches` and `batch_rows`. A batch is a
 * table of up to 5,000 rows, each of which becomes a page. `BatchStore` describes the methods:
 * - `batchStates.ts`: changes of a batch, such as paused, cancelled or ended
 * - `batchRows.ts`: reads and writes the rows; `countRows.ts`: counts them by state
 * - `batchEdits.ts`: people's edits of the pages
 */
export function createBatches(
  db: Kysely<Schema>,
  { previewRetention: retentionDays }: BatchStoreOptions = {},
): BatchStore {
  return {
    ...createRowReads(db),
    ...createRowWrites(db),
    ...createBatchStates(db),
    ...createBatchEdits(db),

    create: (batch) => createBatch(db, batch),

    async remove(batchId) {
      await db.deleteFrom('batches').where('id', '=', batchId).execute();
    },

    async find(organizationId, batchId) {
      const row = await findBatchRow(db, organizationId, batchId);
      if (!row) throw batchNotFound();
      return batchFromRow(row);
    },

    counts: async (batchId) => (await countRows(db, [batchId]))[0]!,
    countsOf: (batchIds) => countRows(db, batchIds),

    async list(organizationId, { siteId, before, limit }) {
      const rows = await db
        .selectFrom('batches')
        .selectAll()
        .where('organization_id', '=', organizationId)
        .$if(siteId !== undefined, (query) => query.where('site_id', '=', siteId!))
        .$if(before !== undefined, (query) =>
          query.where((where) =>
            where(
              where.refTuple('created_at', 'id'),
              '<',
              where.tuple(new Date(before!.createdAt), before!.batchId),
            ),
          ),
        )
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map((row) => batchFromRow(row));
    },

    async prune() {
      if (retentionDays === undefined) return;
      const keptSince = new Date(Math.max(0, Date.now() - retentionDays * DAY));
      const oldBatches = db
        .selectFrom('batches')
        .select('id')
        .where('status', '!=', 'running')
        .where('changed_at', '<', keptSince)
        .limit(PRUNED_AT_ONCE);
      for (let removedCount = PRUNED_AT_ONCE; removedCount === PRUNED_AT_ONCE;) {
        const { numDeletedRows } = await db
          .deleteFrom('batches')
          .where('id', 'in', oldBatches)
          .executeTakeFirst();
        removedCount = Number(numDeletedRows);
      }
    },
  };
}

async function findBatchRow(db: Kysely<Schema>, organizationId: string, batchId: string) {
  if (!isTaskId(batchId)) return undefined;
  return db
    .selectFrom('batches')
    .selectAll()
    .where('id', '=', batchId)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
}

async function createBatch(db: Kysely<Schema>, batch: NewBatch) {
  const { batchId, rows } = batch;
  return db.transaction().execute(async (tx) => {
    const { userId, keyId } = creatorIds(batch.createdBy);
    const { title, callbackUrl } = batch;
    const insertedRows = await tx
      .insertInto('batches')
      .values({
        id: batchId,
        organization_id: batch.organizationId,
        site_id: batch.siteId,
        created_at: new Date(batch.createdAt),
        changed_at: new Date(batch.createdAt),
        created_by_user: userId,
        created_by_key: keyId,
        request_id: batch.requestId ?? null,
        body_hash: batch.bodyHash,
        status: 'running',
        publish: batch.publish,
        on_warnings: batch.onWarnings,
        hold_below: batch.holdBelow ?? null,
        link_from: batch.linkFrom ?? null,
        canary: batch.canary ?? null,
        model: batch.model ?? null,
        texts: JSON.stringify({ title, callbackUrl }),
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .execute();
    if (insertedRows.length === 0) {
      const existingBatch = await tx
        .selectFrom('batches')
        .select(['body_hash', 'created_at'])
        .where('id', '=', batchId)
        .executeTakeFirstOrThrow();
      return {
        bodyHash: existingBatch.body_hash,
        createdAt: existingBatch.created_at.toISOString(),
      };
    }
    for (let rowOffset = 0; rowOffset < rows.length; rowOffset += ROWS_AT_ONCE) {
      const rowChunk = rows.slice(rowOffset, rowOffset + ROWS_AT_ONCE);
      await insertRows(
        tx,
        rowChunk.map((row) => newRowColumns(batchId, row)),
      );
      // the embedded database answers without returning to the event loop: let other work run
      await setImmediate();
    }
    return undefined;
  });
}

/**
 * Inserts rows with one parameter for all of them, since the embedded database takes long for
 * thousands of parameters.
 */
const insertRows = (tx: Kysely<Schema>, rows: ReturnType<typeof newRowColumns>[]) =>
  sql`
    insert into batch_rows (batch_id, number, template_slug, target_slug, state, is_wrong, input, external_id, error)
    select * from json_to_recordset(${JSON.stringify(rows)}::json) as given (
      batch_id text, number integer, template_slug text, target_slug text, state text, is_wrong boolean,
      input text, external_id text, error text)`.execute(tx);

function newRowColumns(batchId: string, row: NewBatch['rows'][number]) {
  const { number, templatePageSlug, targetPageSlug, externalId, error, ...inputFields } = row;
  return {
    batch_id: batchId,
    number,
    template_slug: storableSlug(templatePageSlug),
    target_slug: storableSlug(targetPageSlug),
    state: error === undefined ? ('waiting' as const) : ('failed' as const),
    is_wrong: error !== undefined,
    input: JSON.stringify(inputFields),
    external_id: externalId === undefined ? null : JSON.stringify(externalId),
    error: error === undefined ? null : JSON.stringify(error),
  };
}

/**
 * A slug as the database can store it. The slug of a wrong row may have U+0000, or half a character
 * at its end, where it was cut.
 */
const storableSlug = (slug: string) => slug.replaceAll('\0', '\ufffd').toWellFormed();
