import { useRef } from 'preact/hooks';

/** A function that keeps its results, by the objects that it was given. */
export function perObject<Key extends object, Result>(
  make: (key: Key) => Result,
): (key: Key) => Result {
  const made = new WeakMap<Key, { result: Result }>();
  return (key) => {
    const known = made.get(key) ?? { result: make(key) };
    made.set(key, known);
    return known.result;
  };
}

/** The former list as long as it has the same items, so that what was made of it can be kept. */
export function useSameList<T>(list: T[]): T[] {
  const former = useRef(list);
  const isSame =
    former.current.length === list.length && list.every((item, at) => item === former.current[at]);
  if (!isSame) former.current = list;
  return former.current;
}
