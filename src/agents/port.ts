import type { CellRemark, StayingText } from '../contract/check.ts';
import type { DropNote, Note } from '../contract/task.ts';
import type { Work } from '../threads/threads.ts';
import type {
  Conversation,
  GeneratedPage,
  PageAnswer,
  PageJob,
  TemplatePage,
  Turn,
} from './agent.ts';
import type { Taken, Workspace } from './workspace.ts';

/** An agent that writes the texts of pages. */
interface PageWriter {
  /**
   * Writes one page's texts. Without side effects: it can be repeated.
   * @throws DomainError with `retryable` set correctly
   */
  generatePage(job: PageJob, work: Work): Promise<PageAnswer>;
}

/** A language model, which works on a prompt turn by turn. */
export interface LanguageModel extends PageWriter {
  /** Calls the model once, without side effects. A turn that calls `finish` is the last one. */
  step(conversation: Conversation, work: Work): Promise<Turn>;
}

/** The embedded rules, which do all of a prompt at once. */
export interface Rules extends PageWriter {
  /**
   * Makes a prompt's edits on a workspace.
   * @returns a turn with all edits, and its results
   * @throws DomainError NOT_UNDERSTOOD, INVALID_INPUT; some of the edits may have been made
   */
  carryOut(workspace: Workspace, prompt: string, work: Work): Promise<Taken & { turn: Turn }>;
  /** Finds what to remove from a page to settle notes on it. Without side effects. */
  dropNoted(job: DropJob, work: Work): Promise<DroppedNotes>;
}

/** Notes to settle on a page as it is. */
export interface DropJob {
  page: TemplatePage;
  notes: DropNote[];
}

/** What is removed from a page. */
export interface DroppedNotes {
  /** Ids for `GeneratedPage.removed`. */
  removed: string[];
  /** Ids of the notes of which nothing is left on the page. */
  dropped: string[];
  /** What went, and what could not, each as a sentence. */
  says: string[];
  notes: Note[];
}

/** What the embedded rules tell before there is a task. */
export interface RulesChecks {
  /** Writes a page, and tells what of it is the template's. Throws as `generatePage`. */
  checkPage(job: Pick<PageJob, 'template' | 'item'>, work: Work): Promise<CheckedPage>;
  /** Tells what a prompt that was refused may have meant on this site. */
  propose(workspace: Workspace, prompt: string, work: Work): Promise<Proposal>;
}

export interface CheckedPage {
  page: Pick<GeneratedPage, 'texts' | 'notes'>;
  /**
   * Texts of the template that the page still has: the first 200. What only repeats another text is
   * not named.
   */
  stays: StayingText[];
  /** What is wrong with values of the context: the first 100. */
  remarks: CellRemark[];
}

/** Why a prompt is refused, and what may have been meant. Nothing of it is tried yet. */
export interface Proposal {
  /** What is wrong, and with which part of the prompt; absent where every part is understood. */
  message?: string;
  part?: string;
  /** The part with what may be misspelled put right. */
  repairs: Proposed[];
  /** Instructions that come near it. */
  nearby: Proposed[];
}

/** An instruction that may have been meant. */
export interface Proposed {
  /** `"…"` stands for a text that the prompt does not give. */
  text: string;
  /** The same with a text there, to be tried. */
  tried: string;
}

export type Agent = LanguageModel | Rules;

/** The agents of a process. */
export interface Agents {
  /**
   * @param model `<provider>/<model>`; the embedded rules if absent
   * @throws DomainError CONFIGURATION if this process does not have the model
   */
  of(model?: string): Agent;
}
