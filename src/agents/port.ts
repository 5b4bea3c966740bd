import type { Work } from '../threads/threads.ts';
import type { Conversation, PageAnswer, PageJob, Turn } from './agent.ts';
import type { DropJob, DroppedNotes } from './rules/page/dropNoted.ts';
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

export type Agent = LanguageModel | Rules;

/** The agents of a process. */
export interface Agents {
  /**
   * @param model `<provider>/<model>`; the embedded rules if absent
   * @throws DomainError CONFIGURATION if this process does not have the model
   */
  of(model?: string): Agent;
}
