/** What a person says about a page: it is fine, or it must not go live. */
export const pageMarks = ['fine', 'left-out'] as const;
export type PageMark = (typeof pageMarks)[number];

/** What all marks on a page come to. */
export const reviewVerdicts = ['unseen', ...pageMarks] as const;
export type ReviewVerdict = (typeof reviewVerdicts)[number];

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
