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
  'setup',
  'host',
  'unpublished',
  'comment',
] as const;
export type NoteKind = (typeof noteKinds)[number];

/** States of a note: open, corrected by hand, kept on purpose, or its facts were removed. */
export const noteStates = ['open', 'done', 'kept', 'dropped'] as const;
export type NoteState = (typeof noteStates)[number];
