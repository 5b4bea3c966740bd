import type { NoteState } from '../contract/notes/noteStates.ts';
import type { Note } from '../contract/task.ts';
import type { EditableSlot, TextEdits } from '../sites/formats/pageParts.ts';

// Messages between the service, the editor in the browser and the framed page, which is the page
// that the editor shows in its frame. Types only: no browser loads this file.

/**
 * A text of the page. The target of a link (`link-target`) and the file of an image (`image-file`)
 * are edited as texts too: a path from the site's root; for links also `#` and an id, or a URL.
 */
export interface EditableText extends Omit<EditableSlot, 'role'> {
  role: EditableSlot['role'] | 'link-target' | 'image-file';
  /** Whether other pages of the site have the same text. An edit changes it on this page only. */
  isEverywhere?: true;
}

/**
 * Whether the live site has the page: not yet (`draft`), in this version (`live`), in the version
 * before the edits (`edited`), or no longer (`replaced`).
 */
export type PageState = 'draft' | 'live' | 'edited' | 'replaced';

/** A note: something on the page that a person should check. */
export interface PageNote extends Pick<Note, 'kind' | 'text' | 'slot' | 'value'> {
  id: string;
  /** Whether the editor can remove the part that the note is about. */
  isDroppable: boolean;
}

/** A page in its current version, and everything of it that can be edited. */
export interface OpenedPage {
  slug: string;
  title: string;
  /**
   * SHA-256 of the source, hexadecimal. A save must name it, so that it never overwrites an unseen
   * change.
   */
  digest: string;
  source: string;
  texts: EditableText[];
  /** null if the host was not seen to show the page. */
  previewUrl: string | null;
  state: PageState;
  /** The task's notes on this page, for a person to check. */
  notes: PageNote[];
  /** Slugs of all pages of the task. */
  pages: string[];
  /** Suggestions for the targets of links and the files of images. */
  offers: { pages: string[]; images: string[] };
}

/** The opened page as the browser gets it, with the state of each note. */
export interface OfferedPage extends Omit<OpenedPage, 'notes'> {
  notes: (PageNote & { state: NoteState; by?: string; isElsewhere?: boolean })[];
  /**
   * The task or batch that has the page. Absent for a page of the site that nobody has saved yet.
   */
  taskId?: string;
  /** Whether the person who edits it may publish it. */
  mayPublish: boolean;
}

/**
 * The progress of a publish task. `waitsFor`: what it waits for, in words: the build of a host, or
 * people who merge a pull request.
 */
export type PublishView =
  | { status: 'running'; waitsFor?: string }
  | { status: 'completed' }
  | { status: 'failed'; error: string };

/**
 * The change of a save: some texts, or the whole source. `digest` is the digest of the page as the
 * editor opened it.
 */
export type ContentChange = { digest: string } & ({ texts: TextEdits } | { source: string });

/** The change of a save, or the ids of notes whose parts of the page are to be removed. */
export type EditorChange = ContentChange | { digest: string; drop: string[] };

/** A text with its label, for the framed page. */
export type LabelledText = EditableText & { label: string };

/** The first message from the framed page. It carries the port for all further messages. */
export interface FrameGreeting {
  type: 'agent-editor-frame';
  /** Digest of the page that the frame shows. */
  digest: string;
}

/** A text as it is typed now. */
export interface TypedText {
  id: string;
  texts: string[];
  /** Whether it differs from the saved text. */
  isChanged: boolean;
}

/** Messages from the editor to the framed page. */
export type FrameCommand =
  | { type: 'texts'; all: LabelledText[] }
  | ({ type: 'set' } & TypedText)
  | { type: 'changed'; id: string; isChanged: boolean }
  | { type: 'focus'; id: string };

/** Messages from the framed page to the editor. The editor does not trust them. */
export type FrameReport =
  | { type: 'editable'; ids: string[] }
  | { type: 'edit'; id: string; texts: string[] }
  | { type: 'save' }
  | { type: 'leave' };
