/** Limits how many things, e.g. event streams, each key has open at the same time. */
export interface KeyPermits {
  /** Maximum for one key. */
  most: number;
  isFull(key: string): boolean;
  take(key: string): void;
  leave(key: string): void;
}

export function createKeyPermits(maxPerKey: number): KeyPermits {
  const takenByKey = new Map<string, number>();
  const countOf = (key: string) => takenByKey.get(key) ?? 0;
  return {
    most: maxPerKey,
    isFull: (key) => countOf(key) >= maxPerKey,
    take: (key) => void takenByKey.set(key, countOf(key) + 1),
    leave(key) {
      const remaining = countOf(key) - 1;
      if (remaining > 0) takenByKey.set(key, remaining);
      else takenByKey.delete(key);
    },
  };
}
