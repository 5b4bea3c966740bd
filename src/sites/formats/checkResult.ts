import { MAX_NAMED_VIOLATIONS } from '../checks/namedViolations.ts';
import type { PageCheckResult, SideEffects } from './format.ts';
import type { PageFeature, PageViolation } from './pageFindings.ts';

/** A change that did nothing besides its texts. */
export const noSideEffects: SideEffects = {
  externalReferences: [],
  duplicates: [],
  setup: { removed: [], isUnlisted: false },
  staleDetails: [],
};

/** The first violations of a page, in line order, with what else a change did. */
export const createCheckResult = (
  violations: PageViolation[],
  effects: SideEffects,
  gains: PageFeature[] = [],
): PageCheckResult => ({
  violations: violations
    .toSorted((first, second) => first.line - second.line)
    .slice(0, MAX_NAMED_VIOLATIONS),
  more: Math.max(0, violations.length - MAX_NAMED_VIOLATIONS),
  gains,
  ...effects,
});

/** A URL or an origin for a message: without its query and fragment, which can hold secrets. */
export const shownUrl = (url: string): string =>
  /^data:/i.test(url) ? 'data:' : url.replace(/(?<=.)[?#].*/s, '');
