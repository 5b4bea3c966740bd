/** What a person says about a page: it is fine, or it must not go live. */
export const pageMarks = ['fine', 'left-out'] as const;
export type PageMark = (typeof pageMarks)[number];

/** What all marks on a page come to. */
export const reviewVerdicts = ['unseen', ...pageMarks] as const;
export type ReviewVerdict = (typeof reviewVerdicts)[number];

/**
 * What the marks of all people on a page come to. A page stays left out, even if it is edited,
 * until everybody who left it out puts it back. `fine` is said of a version. Reviews, the console
 * and publishing follow this one rule.
 */
export function verdictOfMarks(marks: { mark: PageMark; isOutdated?: boolean }[]): ReviewVerdict {
  if (marks.some(({ mark }) => mark === 'left-out')) return 'left-out';
  return marks.some(({ isOutdated = false }) => !isOutdated) ? 'fine' : 'unseen';
}

/** How a page differs from its siblings. `docs/api.md` explains each of them. */
export const oddityCodes = [
  'junk',
  'missing',
  'unchanged',
  'kind',
  'length',
  'wraps',
  'address',
  'same',
  'little-text',
  'unreadable',
] as const;
export type OddityCode = (typeof oddityCodes)[number];
