/**
 * How much two sets have in common (Dice's coefficient): 1 for the same members, 0 for none in
 * common.
 */
export const likeness = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  (2 * a.intersection(b).size) / Math.max(1, a.size + b.size);
