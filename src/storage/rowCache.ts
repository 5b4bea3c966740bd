import { LRUCache } from 'lru-cache';
import type { RowChanges, WatchedTable } from './rowChanges.ts';

const KEPT_MS = 5_000;
const MOST = 10_000;

/** Rows of a table that were read a moment ago. */
export interface RowCache<Row> {
  /**
   * The row of this name: a kept one, or what `read` answers. A row that is missing is not kept: it
   * may be made at any time.
   */
  get(name: string, read: () => Promise<Row | undefined>): Promise<Row | undefined>;
  /**
   * For this process's own changes, which the database would tell a moment later. Without a name:
   * all rows.
   */
  forget(name?: string): void;
}

/**
 * Keeps rows for 5 s at most, and until the database tells that they changed. While its changes are
 * not heard, nothing is kept. What is kept are the readings, so that what was asked for before a
 * change is forgotten with it, also if it is answered after it.
 */
export function createRowCache<Row>(table: WatchedTable, changes?: RowChanges): RowCache<Row> {
  const readings = new LRUCache<string, Promise<Row | undefined>>({ max: MOST, ttl: KEPT_MS });
  const forget = (name?: string) =>
    void (name === undefined ? readings.clear() : readings.delete(name));
  changes?.on(table, forget);

  function keep(name: string, reading: Promise<Row | undefined>): Promise<Row | undefined> {
    const drop = () => void (readings.peek(name) === reading && readings.delete(name));
    readings.set(name, reading);
    reading.then((row) => row === undefined && drop(), drop);
    return reading;
  }

  return {
    get(name, read) {
      if (!changes?.areHeard()) return read();
      return readings.get(name) ?? keep(name, read());
    },
    forget,
  };
}
