import type { Kysely } from 'kysely';
import { type RowCounts, rowStates } from '../../contract/batches/batch.ts';
import type { Schema } from '../schema.ts';

/** Counts the rows of each batch by state, in the order of `batchIds`: `{ waiting: 2, … }`. */
export async function countRows(db: Kysely<Schema>, batchIds: string[]): Promise<RowCounts[]> {
  if (batchIds.length === 0) return [];
  const stateCounts = await db
    .selectFrom('batch_rows')
    .select(['batch_id', 'state', ({ fn }) => fn.countAll().as('count')])
    .where('batch_id', 'in', batchIds)
    .groupBy(['batch_id', 'state'])
    .execute();
  const emptyCounts = Object.fromEntries(rowStates.map((state) => [state, 0])) as RowCounts;
  const countsById = new Map(batchIds.map((batchId) => [batchId, { ...emptyCounts }]));
  for (const { batch_id, state, count } of stateCounts)
    countsById.get(batch_id)![state] = Number(count);
  return batchIds.map((batchId) => countsById.get(batchId)!);
}
