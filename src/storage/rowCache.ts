import { LRUCache } from 'lru-cache';
import type { RowChanges, WatchedTable } from './rowChanges.ts';

const MAX_ROWS = 10_000;

/** Caches the rows of a table until the database reports a change. */
export interface RowCache<Row> {
  /**
   * Returns the cached row, or else the result of `read`. A missing row (undefined) is not cached,
   * since it may be created at any time. A `read` that returns null caches that the row is missing,
   * if the database reports new rows of the table too.
   */
  get(id: string, read: () => Promise<Row | undefined>): Promise<Row | undefined>;
  /**
   * Returns several rows in the order of their ids. Reads those that are not cached with one call,
   * which returns them in the order of the ids that it gets.
   */
  getAll(
    ids: readonly string[],
    read: (ids: string[]) => Promise<(Row | undefined)[]>,
  ): Promise<(Row | undefined)[]>;
  /**
   * Removes the row with this id, or all rows, from the cache. Call it after this process changed a
   * row, since the database's notification arrives a moment later.
   */
  forget(id?: string): void;
}

/**
 * Makes the cache of a table. A row that never changes is read once. Caches nothing if `changes` is
 * absent, and while changes may be missed. Stores promises, so that a change also removes a row
 * that is still being read.
 */
export function createRowCache<Row>(table: WatchedTable, changes?: RowChanges): RowCache<Row> {
  const rows = new LRUCache<string, Promise<Row | undefined>>({ max: MAX_ROWS });
  const forget = (id?: string) => void (id === undefined ? rows.clear() : rows.delete(id));
  changes?.on(table, forget);

  function keep(id: string, row: Promise<Row | undefined>): Promise<Row | undefined> {
    const dropRow = () => void (rows.peek(id) === row && rows.delete(id));
    rows.set(id, row);
    row.then((readRow) => readRow === undefined && dropRow(), dropRow);
    return row;
  }

  return {
    get: (id, read) => (changes?.areHeard() ? (rows.get(id) ?? keep(id, read())) : read()),

    async getAll(ids, read) {
      if (!changes?.areHeard()) return ids.length === 0 ? [] : read([...ids]);
      const cachedRows = new Map(ids.map((id) => [id, rows.get(id)]));
      const missingIds = [...cachedRows].flatMap(([id, row]) => (row === undefined ? [id] : []));
      const runningRead = missingIds.length === 0 ? undefined : read(missingIds);
      for (const [index, id] of missingIds.entries())
        cachedRows.set(
          id,
          keep(
            id,
            runningRead!.then((read) => read[index]),
          ),
        );
      return Promise.all(ids.map(async (id) => cachedRows.get(id)));
    },

    forget,
  };
}
