import type { NoteState } from '../contract/notes/noteStates.ts';

// Wording that the console and the editor share.

const stateLabels: Record<NoteState, string> = {
  open: '',
  done: 'Fixed',
  kept: 'Accepted',
  dropped: 'Removed',
};

/** How a note (what a person should check) was resolved: `Fixed by Ann`. */
export const noteStateLabel = (state: NoteState, by?: string | null) =>
  stateLabels[state] + (by ? ` by ${by}` : '');

/** The states of pages that were published. */
export const publishedLabels = {
  live: 'Live',
  edited: 'Edited since it went live',
  replaced: 'Published, replaced since',
};
