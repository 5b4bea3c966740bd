/** Kinds of notes about facts of the template. */
export const factKinds = ['quote', 'rating', 'price', 'date', 'hours', 'contact'] as const;
/** Kinds of notes, for programs. `docs/api.md` explains each of them. */
export const noteKinds = [
  ...factKinds,
  'template',
  'part',
  'unused',
  'invented',
  'undone',
  'changed',
  'host',
  'unpublished',
] as const;
export type NoteKind = (typeof noteKinds)[number];

/** States of a note: not settled, corrected by hand, kept on purpose, or its facts removed. */
export const noteStates = ['open', 'done', 'kept', 'dropped'] as const;
export type NoteState = (typeof noteStates)[number];
