import { likeness, pairsOf } from '../../text/likeness.ts';

const CLOSEST = 5;
/** Least similarity of a hint, from 0 to 1. */
const ALIKE = 0.3;

/** The most similar names, by the pairs of letters that they share (Dice's coefficient). */
export function closest(names: string[], name: string): string[] {
  const wanted = pairsOf(name);
  return names
    .map((one) => ({ one, alike: likeness(pairsOf(one), wanted) }))
    .filter(({ alike }) => alike >= ALIKE)
    .sort((a, b) => b.alike - a.alike || a.one.length - b.one.length)
    .slice(0, CLOSEST)
    .map(({ one }) => one);
}
