import { useRef } from 'preact/hooks';

/** Returns the same array as before if its items are the same, so that memoized results stay. */
export function useSameList<T>(list: T[]): T[] {
  const formerList = useRef(list);
  const isSame =
    formerList.current.length === list.length &&
    list.every((item, index) => item === formerList.current[index]);
  if (!isSame) formerList.current = list;
  return formerList.current;
}
