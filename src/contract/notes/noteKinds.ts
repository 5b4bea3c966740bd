/** Kinds of notes about facts that a page carried over from its template, such as prices. */
export const factKinds = ['quote', 'rating', 'price', 'date', 'contact'] as const;
/** Kinds of notes, for programs. `docs/api.md` explains each of them. */
export const noteKinds = [
  ...factKinds,
  'template',
  'part',
  'unused',
  'invented',
  'undone',
  'changed',
  'requested',
  'setup',
  'host',
  'unpublished',
  'comment',
] as const;
export type NoteKind = (typeof noteKinds)[number];

/**
 * Whether a note is on something that a person should check. Other notes are on changes that the
 * request asked for, such as facts that were removed because of `facts: drop`: they are never open.
 */
export const needsCheck = ({ kind }: { kind: NoteKind }): boolean => kind !== 'requested';

/** States of a note: open, corrected by hand, kept on purpose, or its facts were removed. */
export const noteStates = ['open', 'done', 'kept', 'dropped'] as const;
export type NoteState = (typeof noteStates)[number];
