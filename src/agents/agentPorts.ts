import type { CellRemark, StayingText } from '../contract/checks.ts';
import type { ModelCallUsage, RemovableNote, MeteredCall, Note } from '../contract/task.ts';
import type { TextSlot } from '../sites/formats/pageParts.ts';
import type { JobOwner } from '../threads/threadPool.ts';
import type {
  AskingPageJob,
  AgentConversation,
  GeneratedPage,
  PageAnswer,
  PageWritingJob,
  PageQuestion,
  TemplatePage,
  ModelTurn,
} from './shared/agentTypes.ts';
import type { TurnOutcome, Workspace } from './workspace.ts';

/** An agent that writes the texts of pages. */
interface PageWriter {
  /**
   * Writes one page's texts. Has no side effects, so it can be repeated.
   * @throws DomainError with `retryable` set correctly
   */
  generatePage(job: PageWritingJob, work: JobOwner): Promise<PageAnswer>;
}

/** A language model. It works on a prompt turn by turn. */
export interface LanguageModel extends PageWriter {
  /** Calls the model once, without side effects. A turn that calls `finish` is the last one. */
  step(conversation: AgentConversation, work: JobOwner): Promise<ModelTurn>;
  /** As `generatePage`, by a model that may ask people instead. */
  writeOrAsk(job: AskingPageJob, work: JobOwner): Promise<PageAnswer | PageQuestion>;
}

/** Counts what calls of language models use. */
export interface CallMeter {
  /**
   * Counts a call before it is made.
   * @returns a function that counts what the call used, in place of the estimate. It never throws
   * @throws DomainError if the call must not be made: LIMIT_EXCEEDED if the organization may use
   *   no more tokens, UNAVAILABLE if the call can't be counted
   */
  begin(call: MeteredCall): Promise<(callUse: ModelCallUsage) => Promise<void>>;
}

/** The embedded rules. They carry out a whole prompt in one step. */
export interface RulesAgent extends PageWriter {
  /**
   * Carries out a prompt by editing a workspace.
   * @returns a turn with all edits, and their results
   * @throws DomainError NOT_UNDERSTOOD, INVALID_INPUT; some edits may have been made before
   */
  carryOut(
    workspace: Workspace,
    prompt: string,
    work: JobOwner,
  ): Promise<TurnOutcome & { turn: ModelTurn }>;
  /** Finds the parts of a page to remove so that its notes are settled. Has no side effects. */
  dropNoted(job: NoteRemovalJob, work: JobOwner): Promise<NoteRemoval>;
}

/** A page, and the notes on it that are to be settled by removing parts. */
export interface NoteRemovalJob {
  page: TemplatePage;
  notes: RemovableNote[];
}

/** The parts of a page that are removed to settle notes. */
export interface NoteRemoval {
  /** Ids for `GeneratedPage.removed`. */
  removed: string[];
  /** Ids of the notes that are fully settled. */
  dropped: string[];
  /** Sentences on what was removed, and on what could not be. */
  says: string[];
  notes: Note[];
}

/** What the embedded rules can tell before a task is created. */
export interface RulesChecks {
  /** Writes a page, and lists what it keeps of the template. Throws as `generatePage`. */
  checkPage(job: Pick<PageWritingJob, 'template' | 'item'>, work: JobOwner): Promise<CheckedPage>;
  /** The keys of a context that have a place on a template, with the slots that they fill. */
  listKeys(slots: readonly TextSlot[], work: JobOwner): Promise<Record<string, string>>;
}

export interface CheckedPage {
  page: Pick<GeneratedPage, 'texts' | 'notes'>;
  /**
   * Texts that the page keeps of the template: the first 200, without those that only repeat
   * another one.
   */
  stays: StayingText[];
  /** Problems of values in the context: the first 100. */
  remarks: CellRemark[];
}

export type Agent = LanguageModel | RulesAgent;

/** The agents of a process. */
export interface AgentRegistry {
  /**
   * Finds an agent.
   * @param model `<provider>/<model>`; the embedded rules if absent
   * @throws DomainError CONFIGURATION if this process does not have the model
   */
  of(model?: string): Agent;
}
