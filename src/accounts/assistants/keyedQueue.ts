import { Mutex } from 'async-mutex';

/** Runs work, after what the same key began before. */
export type KeyedQueue = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Work of one key runs one at a time, that of other keys beside it. */
export function createKeyedQueue(): KeyedQueue {
  const mutexesByKey = new Map<string, Mutex>();
  return async (key, work) => {
    const mutex = mutexesByKey.get(key) ?? new Mutex();
    mutexesByKey.set(key, mutex);
    try {
      return await mutex.runExclusive(work);
    } finally {
      // whoever waits has it by now
      if (!mutex.isLocked()) mutexesByKey.delete(key);
    }
  };
}
