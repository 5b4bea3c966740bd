/** Tables whose rows are cached. Triggers in the database report their changes. */
export type WatchedTable =
  | 'api_keys'
  | 'builds'
  | 'guest_comments'
  | 'note_states'
  | 'preview_deployments'
  | 'published_pages'
  | 'sites'
  | 'users'
  | 'webhook_endpoints';

/** The channel of `NOTIFY`. A payload is the table's name and, for some tables, the row's id. */
export const CHANNEL = 'agent_tasks_changes';

/** Reports changes of rows by any process, for caches. */
export interface RowChanges {
  /** False while changes may be missed. Then nothing may be cached. */
  areHeard(): boolean;
  /**
   * Calls `forget` for each change of the table: with the row's id, or without an id for all rows.
   */
  on(table: WatchedTable, forget: (id?: string) => void): void;
}

/** Passes changes from the connection that listens to the database on to the caches. */
export interface RowChangeRelay extends RowChanges {
  /** Reports a change. @param payload the table's name and, for some tables, the row's id */
  tell: (payload: string) => void;
  /**
   * Reports that no change was missed so far, and that none will be missed for this many
   * milliseconds: caches may be used for this time.
   */
  heardFor(ms: number): void;
  /** Reports that changes may have been missed. Empties all caches. */
  lost(): void;
}

/** Creates the relay. Changes count as missed until the first `heardFor`. */
export function createRowChanges(): RowChangeRelay {
  const listeners: { table: WatchedTable; forget: (rowId?: string) => void }[] = [];
  let heardUntil = -Infinity;
  return {
    areHeard: () => performance.now() < heardUntil,
    on: (table, forget) => void listeners.push({ table, forget }),
    tell(payload) {
      const [tableName, rowId] = payload.split(' ', 2);
      for (const { table, forget } of listeners) if (table === tableName) forget(rowId);
    },
    heardFor: (ms) => void (heardUntil = performance.now() + ms),
    lost() {
      heardUntil = -Infinity;
      for (const { forget } of listeners) forget();
    },
  };
}
