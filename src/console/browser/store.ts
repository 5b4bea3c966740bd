import { useLayoutEffect, useState } from 'preact/hooks';

export interface ValueStore<T> {
  get(): T;
  set(value: T): void;
  /** @returns a function that stops listening */
  listen(listener: () => void): () => void;
}

/** Creates a value that components can follow: `useStore` renders them again when it changes. */
export function createStore<T>(firstValue: T): ValueStore<T> {
  const listeners = new Set<() => void>();
  let value = firstValue;
  return {
    get: () => value,
    set(nextValue) {
      value = nextValue;
      for (const listener of [...listeners]) listener();
    },
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** The value of a store, for a component that is rendered again when it changes. */
export function useStore<T>(store: ValueStore<T>): T {
  const [, renderAgain] = useState(0);
  const shownValue = store.get();
  useLayoutEffect(() => {
    const rerender = () => renderAgain((count) => count + 1);
    // The value may have changed since the component was rendered.
    if (store.get() !== shownValue) rerender();
    return store.listen(rerender);
  }, [store]);
  return shownValue;
}
