import { Mutex } from 'async-mutex';

/** Runs work as soon as the earlier work of the same key has ended. */
export type KeyedQueue = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** Makes a queue that runs work of the same key one at a time, and other keys in parallel. */
export function createKeyedQueue(): KeyedQueue {
  const mutexesByKey = new Map<string, Mutex>();
  return async (key, work) => {
    const mutex = mutexesByKey.get(key) ?? new Mutex();
    mutexesByKey.set(key, mutex);
    try {
      return await mutex.runExclusive(work);
    } finally {
      // a call that waits has locked it again by now
      if (!mutex.isLocked()) mutexesByKey.delete(key);
    }
  };
}
