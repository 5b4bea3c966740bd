import type { NoteState } from '../contract/noteStates.ts';
import type { Note } from '../contract/task.ts';
import type { EditableText as SlotText, TextEdits } from '../sites/formats/page.ts';

// Messages between the service, the editor in the browser and the framed page. Types only: no
// browser loads it.

/**
 * A text of the page. Where a link leads (`link-target`) and which file an image shows
 * (`image-file`) are edited as texts too: a path from the site's root, or for links `#` and an id,
 * or a whole address.
 */
export interface EditableText extends Omit<SlotText, 'role'> {
  role: SlotText['role'] | 'link-target' | 'image-file';
  /** The same text stands on other pages of the site, which keep theirs. */
  isEverywhere?: true;
}

/**
 * Whether the live site has the page: not yet, as it is here, as it was before it was edited, or
 * not any more.
 */
export type PageState = 'draft' | 'live' | 'edited' | 'replaced';

/** A note on the page. */
export interface PageNote extends Pick<Note, 'text' | 'slot' | 'value'> {
  id: string;
  /** Whether what it is about can be taken out. */
  isDroppable: boolean;
}

/** A page as it is at this moment, and everything of it that can be edited. */
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
  previewUrl: string;
  state: PageState;
  /** What the task says that somebody should look at, of this page. */
  notes: PageNote[];
  /** Slugs of all pages of the task. */
  pages: string[];
  /** Some of what links may lead to, and images may show. */
  offers: { pages: string[]; images: string[] };
}

/** The same as the browser gets it. */
export interface OfferedPage extends Omit<OpenedPage, 'notes'> {
  notes: (PageNote & { state: NoteState; by?: string; isElsewhere?: boolean })[];
  /** Whether who edits it may put it live. */
  mayPublish: boolean;
}

/** What becomes of a publish. */
export type PublishView = { status: 'running' | 'completed' } | { status: 'failed'; error: string };

/**
 * The change of a save: some texts, or the whole source. `digest` is that of the page that was
 * open.
 */
export type TextChange = { digest: string } & ({ texts: TextEdits } | { source: string });

/** The same, or ids of notes whose facts go. */
export type Change = TextChange | { digest: string; drop: string[] };

/** A text as the framed page gets it. */
export type LabelledText = EditableText & { label: string };

/** The framed page's first message. The port for all others comes with it. */
export interface FrameGreeting {
  type: 'agent-editor-frame';
  /** Digest of the page that the frame shows. */
  digest: string;
}

/** A text as it is typed now. */
export interface TypedText {
  id: string;
  texts: string[];
  /** Whether it differs from what is saved. */
  isChanged: boolean;
}

/** Messages from the editor to the framed page. */
export type FrameCommand =
  | { type: 'texts'; all: LabelledText[] }
  | ({ type: 'set' } & TypedText)
  | { type: 'changed'; id: string; isChanged: boolean }
  | { type: 'focus'; id: string };

/** Messages from the framed page to the editor, which trusts none of them. */
export type FrameReport =
  | { type: 'editable'; ids: string[] }
  | { type: 'edit'; id: string; texts: string[] }
  | { type: 'save' }
  | { type: 'leave' };
