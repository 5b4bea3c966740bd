/** Counts each distinct item, in the order of first occurrence: `aba` → a: 2, b: 1. */
export function countItems<Item>(items: Iterable<Item>): Map<Item, number> {
  const counts = new Map<Item, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
