/** Counts each distinct item, in the order of first occurrence. */
export function countItems<Item>(items: Iterable<Item>): Map<Item, number> {
  const counts = new Map<Item, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}
