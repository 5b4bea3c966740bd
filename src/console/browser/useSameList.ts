import { useRef } from 'preact/hooks';

/** The former list as long as it has the same items, so that what was made of it can be kept. */
export function useSameList<T>(list: T[]): T[] {
  const former = useRef(list);
  const isSame =
    former.current.length === list.length && list.every((item, at) => item === former.current[at]);
  if (!isSame) former.current = list;
  return former.current;
}
