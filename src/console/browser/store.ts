import { useLayoutEffect, useState } from 'preact/hooks';

export interface Store<T> {
  get(): T;
  set(value: T): void;
  /** @returns a function that stops listening */
  listen(listener: () => void): () => void;
}

/** A value that components can follow. */
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
  const shown = store.get();
  useLayoutEffect(() => {
    const follow = () => again((count) => count + 1);
    // The value may have changed since the component was rendered.
    if (store.get() !== shown) follow();
    return store.listen(follow);
  }, [store]);
  return shown;
}
