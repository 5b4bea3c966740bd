import { useRef } from 'preact/hooks';

/** The former list as long as it has the same items, so that what was made of it can be kept. */
export function useSameList<T>(list: T[]): T[] {
  const formerList = useRef(list);
  const isSame =
    formerList.current.length === list.length &&
    list.every((item, index) => item === formerList.current[index]);
  if (!isSame) formerList.current = list;
  return formerList.current;
}
