import { LRUCache } from 'lru-cache';
import type { RowChanges, WatchedTable } from './rowChanges.ts';

const TTL_MS = 5_000;
const MAX_ROWS = 10_000;

/** Caches rows of a table for a few seconds. */
export interface RowCache<Row> {
  /**
   * The cached row, or the result of `read`. A missing row is not cached, since it may be made at
   * any time.
   */
  get(id: string, read: () => Promise<Row | undefined>): Promise<Row | undefined>;
  /**
   * Drops a row, or all rows. Call it after this process's own changes: the database tells of them
   * only a moment later.
   */
  forget(id?: string): void;
}

/**
 * Caches rows for 5 s, or until the database tells that they changed. Without changes from the
 * database, nothing is cached. The cache holds promises: so a change also drops a read that began
 * before the change and is answered after it.
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
