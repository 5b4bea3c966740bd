/** Tables whose rows are cached. Triggers in the database tell of their changes. */
export type WatchedTable = 'api_keys' | 'preview_deployments' | 'note_states' | 'published_pages';

/** The channel of `NOTIFY`. A payload is the table's name, and for some tables the row's id. */
export const CHANNEL = 'agent_tasks_changes';

/** Tells caches which rows changed, in any process. */
export interface RowChanges {
  /** False while changes may be missed: then nothing may be cached. */
  areHeard(): boolean;
  /** Calls back for each change of the table: with the row's id, or without one for all rows. */
  on(table: WatchedTable, forget: (id?: string) => void): void;
}

/** Passes on changes from the connection that listens to the database. */
export interface RowChangeRelay extends RowChanges {
  tell: (payload: string) => void;
  /** No change was missed until now, and none counts as missed for so many milliseconds more. */
  heardFor(ms: number): void;
  /** Changes may have been missed. */
  lost(): void;
}

/** Before the first `heardFor`, changes count as missed. */
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
