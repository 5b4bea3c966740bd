/** Counts what each key has open, e.g. streams. */
export interface Places {
  /** Maximum for one key. */
  most: number;
  isFull(key: string): boolean;
  take(key: string): void;
  leave(key: string): void;
}

export function createPlaces(most: number): Places {
  const taken = new Map<string, number>();
  const count = (key: string) => taken.get(key) ?? 0;
  return {
    most,
    isFull: (key) => count(key) >= most,
    take: (key) => void taken.set(key, count(key) + 1),
    leave(key) {
      const left = count(key) - 1;
      if (left > 0) taken.set(key, left);
      else taken.delete(key);
    },
  };
}
