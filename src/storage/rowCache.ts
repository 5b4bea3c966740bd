import { LRUCache } from 'lru-cache';
import type { RowChanges, WatchedTable } from './rowChanges.ts';

const TTL_MS = 5_000;
const MAX_ROWS = 10_000;

/** Caches the rows of a table for a few seconds. */
export interface RowCache<Row> {
  /**
   * Returns the cached row, or else the result of `read`. A missing row is not cached, since it may
   * be created at any time.
   */
  get(id: string, read: () => Promise<Row | undefined>): Promise<Row | undefined>;
  /**
   * Drops the row with this id, or all rows. Call it after this process changed a row: the
   * database's notification arrives a moment later.
   */
  forget(id?: string): void;
}

/**
 * Caches rows for 5 s, or until the database reports a change. Caches nothing if `changes` is
 * absent. Stores promises, so that a change also drops a read that is still running.
 */
export function createRowCache<Row>(table: WatchedTable, changes?: RowChanges): RowCache<Row> {
  const rows = new LRUCache<string, Promise<Row | undefined>>({ max: MAX_ROWS, ttl: TTL_MS });
  const forget = (id?: string) => void (id === undefined ? rows.clear() : rows.delete(id));
  changes?.on(table, forget);

  function keep(id: string, row: Promise<Row | undefined>): Promise<Row | undefined> {
    const drop = () => void (rows.peek(id) === row && rows.delete(id));
    rows.set(id, row);
    row.then((found) => found === undefined && drop(), drop);
    return row;
  }

  return {
    get: (id, read) => (changes?.areHeard() ? (rows.get(id) ?? keep(id, read())) : read()),
    forget,
  };
}
