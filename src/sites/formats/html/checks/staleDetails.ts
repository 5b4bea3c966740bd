import type { StaleDetail } from '../../pageFindings.ts';
import { findNumberAttributes, type NumberAttribute } from '../counters/findCounters.ts';
import { findStaleCounters } from '../counters/staleCounters.ts';
import type { SiteFiles } from '../../../checks/siteFiles.ts';
import type { HtmlPage } from '../openHtmlPage.ts';
import { staleValues } from '../values/staleValues.ts';
import { findPortraits, findStalePortraits, type PersonPortrait } from './portraits.ts';
import { derivedWords } from './derivedWords.ts';
import { missingEntry } from './missingEntry.ts';
import { goneSubject, keptTraces, subjectTraces, type SubjectTraces } from './subjectTraces.ts';

/** What stands beside a page's texts, and belongs to them. */
export interface TextDetails {
  page: HtmlPage;
  /** Numbers in attributes. */
  numbers: NumberAttribute[];
  /** Pictures of persons. */
  portraits: PersonPortrait[];
  traces: SubjectTraces;
}

const MAX_STALE_DETAILS = 10;

export const findTextDetails = (page: HtmlPage): TextDetails => ({
  page,
  numbers: findNumberAttributes(page.elements),
  portraits: findPortraits(page.elements),
  traces: subjectTraces(page),
});

/**
 * What belongs to the old texts of a page, and stands beside new ones.
 * @param site the files of the site before the change, if known
 */
export const findStaleDetails = (
  oldDetails: TextDetails,
  newDetails: TextDetails,
  site?: SiteFiles,
): StaleDetail[] => {
  const gone = goneSubject(oldDetails.traces, newDetails.traces);
  return [
    ...staleValues(oldDetails.page, newDetails.page, site),
    ...findStaleCounters(oldDetails.numbers, newDetails.numbers),
    ...findStalePortraits(oldDetails.portraits, newDetails.portraits),
    ...keptTraces(oldDetails.traces, newDetails.traces),
    ...derivedWords(oldDetails.page, newDetails.page, gone),
    ...(site && gone.length > 0 ? missingEntry(oldDetails.traces, newDetails.traces, site) : []),
  ].slice(0, MAX_STALE_DETAILS);
};
