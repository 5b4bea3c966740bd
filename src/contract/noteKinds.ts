/** Kinds of notes about facts of the template. */
export const factKinds = [
  'quote',
  'rating',
  'reviews',
  'case-study',
  'map',
  'price',
  'date',
  'hours',
  'address',
  'telephone',
  'email',
  'coordinates',
] as const;
/** Kinds of notes, for programs. */
export const noteKinds = [
  // facts of the template that a new page still has
  ...factKinds,
  'title',
  'headline',
  // parts of a page
  'link',
  'list',
  'structured-data',
  'copied',
  // results of the request
  'unused',
  'junk',
  'invented',
  /** A language model wrote alternative texts of pictures that it has not seen. */
  'alt-text',
  'as-asked',
  'doubled',
  'left',
  'changed',
  'removed',
  'undone',
  'unanswered',
  'unchanged',
  // things to check before publishing, whichever agent did the task
  'host',
  'contact',
  'deleted',
  'moved',
  /** Scripts, style sheets, viewport, `charset` or `lang` were removed, or `noindex` introduced. */
  'setup',
  // the state of the result
  'own-share',
  'held',
  'unpublished',
  'deployment',
  'unseen',
  /** Counts further notes that are not listed. */
  'more',
] as const;
export type NoteKind = (typeof noteKinds)[number];

/** States of a note: not settled, corrected by hand, kept on purpose, or its facts removed. */
export const noteStates = ['open', 'done', 'kept', 'dropped'] as const;
export type NoteState = (typeof noteStates)[number];
