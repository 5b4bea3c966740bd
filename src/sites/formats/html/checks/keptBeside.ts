import type { KeptBeside } from '../../faults.ts';
import { numberAttributes, type NumberAttribute } from '../counters/findCounters.ts';
import { staleCounters } from '../counters/staleCounters.ts';
import type { Page } from '../openPage.ts';
import { portraitsOf, stalePortraits, type Portrait } from './portraits.ts';
import { keptTraces, subjectTraces, type SubjectTraces } from './subjectTraces.ts';

/** What stands beside a page's texts, and belongs to them. */
export interface BesideTexts {
  /** Numbers in attributes. */
  numbers: NumberAttribute[];
  /** Pictures of persons. */
  portraits: Portrait[];
  traces: SubjectTraces;
}

const MOST_BESIDE = 10;

export const besideTexts = (page: Page): BesideTexts => ({
  numbers: numberAttributes(page.elements),
  portraits: portraitsOf(page.elements),
  traces: subjectTraces(page),
});

/** What belongs to the old texts of a page, and stands beside new ones. */
export const keptBeside = (before: BesideTexts, after: BesideTexts): KeptBeside[] =>
  [
    ...staleCounters(before.numbers, after.numbers),
    ...stalePortraits(before.portraits, after.portraits),
    ...keptTraces(before.traces, after.traces),
  ].slice(0, MOST_BESIDE);
