import type { KeptBeside } from '../../faults.ts';
import { numberAttributes, type NumberAttribute } from '../counters/findCounters.ts';
import { staleCounters } from '../counters/staleCounters.ts';
import type { Element } from '../document.ts';
import { portraitsOf, stalePortraits, type Portrait } from './portraits.ts';

/** What stands beside a page's texts, and belongs to them. */
export interface BesideTexts {
  /** Numbers in attributes. */
  numbers: NumberAttribute[];
  /** Pictures of persons. */
  portraits: Portrait[];
}

const MOST_BESIDE = 10;

export const besideTexts = (elements: readonly Element[]): BesideTexts => ({
  numbers: numberAttributes(elements),
  portraits: portraitsOf(elements),
});

/** What belongs to the old texts of a page, and stands beside new ones. */
export const keptBeside = (before: BesideTexts, after: BesideTexts): KeptBeside[] =>
  [
    ...staleCounters(before.numbers, after.numbers),
    ...stalePortraits(before.portraits, after.portraits),
  ].slice(0, MOST_BESIDE);
