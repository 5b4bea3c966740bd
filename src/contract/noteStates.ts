import type { Maker } from './maker.ts';

/** What became of a note: nothing yet, mended by hand, taken out, or left on purpose. */
export const noteStates = ['open', 'done', 'kept', 'dropped'] as const;
export type NoteState = (typeof noteStates)[number];

/** What people say of a note. `dropped` is what a task says. */
export type SaidState = Exclude<NoteState, 'dropped'>;

/** A note that is not open. */
export interface SettledNote {
  noteId: string;
  state: Exclude<NoteState, 'open'>;
  /** null: somebody without an account, or nobody knows any more. */
  by: Maker | null;
  at: Date;
  /**
   * The task that took it out, if not the task itself by hand. In the task's own result it is still
   * there.
   */
  droppedIn?: string;
  /** Whether an edit by hand settled it: when that is undone, it is open again. */
  isEdit?: true;
}

export interface Settling extends Omit<SettledNote, 'noteId'> {
  organizationId: string;
  /** The task that the notes are of. */
  taskId: string;
  noteIds: string[];
}

export interface NoteStates {
  /** The settled notes of a task. */
  of(taskId: string): Promise<readonly SettledNote[]>;
  /** Settles notes, whatever they were. May be repeated. */
  set(settling: Settling): Promise<void>;
  /** Opens notes again. May be repeated. */
  reopen(notes: { taskId: string; noteIds: string[] }): Promise<void>;
}
