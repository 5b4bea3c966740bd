import { likeness, letterPairs } from '../../../text/similarity.ts';

const MAX_CLOSEST = 5;
/** Least similarity of a hint, from 0 to 1. */
const MIN_LIKENESS = 0.3;

/** The most similar names, by the pairs of letters that they share (Dice's coefficient). */
export function findClosestNames(names: string[], name: string): string[] {
  const wantedPairs = letterPairs(name);
  return names
    .map((candidate) => ({ one: candidate, alike: likeness(letterPairs(candidate), wantedPairs) }))
    .filter(({ alike: score }) => score >= MIN_LIKENESS)
    .sort((first, second) => second.alike - first.alike || first.one.length - second.one.length)
    .slice(0, MAX_CLOSEST)
    .map(({ one: candidate }) => candidate);
}
