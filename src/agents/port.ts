import type { Work } from '../threads/threads.ts';
import type { Conversation, PageAnswer, PageJob, Turn } from './agent.ts';
import type { DropJob, DroppedNotes } from './rules/page/dropNoted.ts';
import type { Taken, Workspace } from './workspace.ts';

/** The port to whatever writes texts of pages. */
interface PageWriter {
  /**
   * Writes one page's texts. Free of effects: repeating it costs only its time.
   * @throws DomainError with `retryable` set rightly
   */
  generatePage(job: PageJob, work: Work): Promise<PageAnswer>;
}

/** A language model, which carries a prompt out turn by turn. */
export interface LanguageModel extends PageWriter {
  /** One call of the model, free of effects. A turn that calls `finish` is the last one. */
  step(conversation: Conversation, work: Work): Promise<Turn>;
}

/** The embedded rules, which carry a prompt out at once. */
export interface Rules extends PageWriter {
  /**
   * Makes a prompt's edits on a workspace.
   * @returns the turn with all edits, and what came of it
   * @throws DomainError NOT_UNDERSTOOD, INVALID_INPUT; the workspace may have some of the edits
   *   then
   */
  carryOut(workspace: Workspace, prompt: string, work: Work): Promise<Taken & { turn: Turn }>;
  /** Finds what goes of a page, so that notes on it are settled. Free of effects. */
  dropNoted(job: DropJob, work: Work): Promise<DroppedNotes>;
}

export type Agent = LanguageModel | Rules;

/** The agents that there are. */
export interface Agents {
  /**
   * @param model `<provider>/<model>`, as a task's input has it; absent: the embedded rules
   * @throws DomainError CONFIGURATION where this process does not have the model
   */
  of(model?: string): Agent;
}
