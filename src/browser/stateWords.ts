import type { NoteState } from '../contract/noteStates.ts';

// Words that the console and the editor have in common.

const settled: Record<NoteState, string> = {
  open: '',
  done: 'Done',
  kept: 'Kept on purpose',
  dropped: 'Dropped',
};

/** `Done by Ann`: what became of a note. */
export const settledWords = (state: NoteState, by?: string | null) =>
  settled[state] + (by ? ` by ${by}` : '');

/** How pages are live that went live once. */
export const publishedWords = {
  live: 'Live',
  edited: 'Edited since it went live',
  replaced: 'Published, replaced since',
};
