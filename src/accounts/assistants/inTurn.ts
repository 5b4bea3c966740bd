import { Mutex } from 'async-mutex';

/** Runs work, after what the same key began before. */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Work of one key runs one at a time, that of other keys beside it. */
export function createTurns(): InTurn {
  const mutexes = new Map<string, Mutex>();
  return async (key, work) => {
    const mutex = mutexes.get(key) ?? new Mutex();
    mutexes.set(key, mutex);
    try {
      return await mutex.runExclusive(work);
    } finally {
      // whoever waits has it by now
      if (!mutex.isLocked()) mutexes.delete(key);
    }
  };
}
