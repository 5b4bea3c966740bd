import { useEffect, useState } from 'preact/hooks';

export interface Store<T> {
  get(): T;
  set(value: T): void;
  /** @returns what ends it */
  listen(listener: () => void): () => void;
}

/** A value that components follow. */
export function createStore<T>(first: T): Store<T> {
  const listeners = new Set<() => void>();
  let value = first;
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of [...listeners]) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export function useStore<T>(store: Store<T>): T {
  const [, again] = useState(0);
  useEffect(() => {
    const seen = store.get();
    const end = store.listen(() => again((count) => count + 1));
    if (store.get() !== seen) again((count) => count + 1);
    return end;
  }, [store]);
  return store.get();
}
