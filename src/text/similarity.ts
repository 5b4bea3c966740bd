/**
 * How much two sets have in common (Dice's coefficient): 1 for the same members, 0 for none in
 * common.
 */
export const likeness = (first: ReadonlySet<string>, second: ReadonlySet<string>): number =>
  (2 * first.intersection(second).size) / Math.max(1, first.size + second.size);

/** The pairs of adjacent letters in a text, in lower case: `Cat` → `ca`, `at`. */
export function letterPairs(text: string): Set<string> {
  const letters = text.toLowerCase();
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, i) => letters.slice(i, i + 2)),
  );
}
