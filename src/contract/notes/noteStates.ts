import type { Creator } from '../creator.ts';
import type { NoteState } from './noteKinds.ts';

export type { NoteState } from './noteKinds.ts';

/** States that people can set. Only tasks and edits set `dropped`. */
export type SettableNoteState = Exclude<NoteState, 'dropped'>;

/** How a note was resolved: corrected (`done`), accepted (`kept`) or removed (`dropped`). */
export interface ResolvedNote {
  noteId: string;
  state: Exclude<NoteState, 'open'>;
  /** null: a person without an account, or a creator that is no longer known. */
  by: Creator | null;
  at: Date;
  /**
   * The task that removed the note's facts. The note's own result still has them. Absent if an edit
   * by hand removed them.
   */
  droppedIn?: string;
  /** Whether an edit by hand resolved it. Undoing that edit opens the note again. */
  isEdit?: boolean;
}

/** The resolution of several notes of a task at once. */
export interface NoteResolution extends Omit<ResolvedNote, 'noteId'> {
  organizationId: string;
  /** The task that has the notes. */
  taskId: string;
  noteIds: string[];
}

/** Stores what became of notes. A note without a stored state is open. */
export interface NoteStates {
  /** The resolved notes of a task. */
  of(taskId: string): Promise<readonly ResolvedNote[]>;
  /** Sets the state of notes, whatever it was before. Repeatable. */
  set(settling: NoteResolution): Promise<void>;
  /** Opens resolved notes again. Repeatable. */
  reopen(notes: { taskId: string; noteIds: string[] }): Promise<void>;
}
