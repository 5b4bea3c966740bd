/** Tables whose rows processes keep for a moment. The database itself tells of their changes. */
export type WatchedTable = 'api_keys' | 'preview_deployments' | 'note_states' | 'published_pages';

/**
 * The channel of `NOTIFY`: a payload is a table's name, and the row's id where the table tells it.
 */
export const CHANNEL = 'agent_tasks_changes';

/** What those who keep rows need to know. */
export interface RowChanges {
  /** False where changes may be missed: then nothing may be kept. */
  areHeard(): boolean;
  /**
   * Calls back for each change of the table: with the row's id, or without one where all rows count
   * as changed.
   */
  on(table: WatchedTable, forget: (id?: string) => void): void;
}

/** The other end: for what listens to the database. */
export interface RowChangeRelay extends RowChanges {
  tell: (payload: string) => void;
  /**
   * Everything that was told of until now has been heard; that holds for so many milliseconds more.
   */
  heardFor(ms: number): void;
  /** Changes may have been missed. */
  lost(): void;
}

/** Nothing is heard before the first `heardFor`. */
export function createRowChanges(): RowChangeRelay {
  const listeners: { table: WatchedTable; forget: (id?: string) => void }[] = [];
  let heardUntil = -Infinity;
  return {
    areHeard: () => performance.now() < heardUntil,
    on: (table, forget) => void listeners.push({ table, forget }),
    tell(payload) {
      const [name, id] = payload.split(' ', 2);
      for (const { table, forget } of listeners) if (table === name) forget(id);
    },
    heardFor: (ms) => void (heardUntil = performance.now() + ms),
    lost() {
      heardUntil = -Infinity;
      for (const { forget } of listeners) forget();
    },
  };
}
