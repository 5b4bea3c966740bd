import type { CellRemark, StayingText } from '../contract/checks.ts';
import type { CommittedContent } from '../contract/committedContent.ts';
import type { ModelCallUsage, RemovableNote, MeteredCall, Note } from '../contract/task.ts';
import type { SlotTexts, TextSlot } from '../sites/formats/pageParts.ts';
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

/**
 * An agent decides on the words of a page or an edit. There are two, behind the ports of this file:
 *
 * - The rules (rules/) are embedded. They follow fixed wordings, and need no network.
 * - A language model (model/) works on a prompt turn by turn. A turn is one call of the model,
 *   together with the tools that its answer calls.
 *
 * `generatePage` gets a template's slots, such as s12 "Web design in Austin", and an item with a
 * context, such as `City: Lisbon`. It returns `{ texts: { s12: 'Web design in Lisbon' }, notes }`.
 * For a prompt, an agent edits a workspace (workspace.ts): the site with the task's edits in
 * memory. What both use is in shared/. createAgents.ts makes the agents of a process,
 * modelAssignment.ts chooses one for a task, and conversationCache.ts keeps conversations.
 */
interface PageWriter {
  /**
   * Writes one page's texts. Has no side effects, so it can be repeated.
   * @throws DomainError with `retryable` set correctly
   */
  generatePage(job: PageWritingJob, work: JobOwner): Promise<PageAnswer>;
}

/** A language model. See model/modelAgent.ts. */
export interface LanguageModel extends PageWriter {
  /** Calls the model once, without side effects. A turn that calls `finish` is the last one. */
  step(conversation: AgentConversation, work: JobOwner): Promise<ModelTurn>;
  /** Like `generatePage`, but the model may ask people a question instead of writing the page. */
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

/** The rules. They carry out a whole prompt at once. */
export interface RulesAgent extends PageWriter {
  /**
   * Carries out a prompt by editing a workspace.
   * @returns a turn with all edits, and their results
   * @throws DomainError NOT_UNDERSTOOD, INVALID_INPUT, LIMIT_EXCEEDED, or a retryable one. Some
   *   edits may have been made by then
   */
  carryOut(
    workspace: Workspace,
    prompt: string,
    work: JobOwner,
  ): Promise<TurnOutcome & { turn: ModelTurn }>;
  /** Finds the parts of a page to remove so that its notes are resolved. Has no side effects. */
  findNotedParts(job: NoteRemovalJob, work: JobOwner): Promise<NoteRemoval>;
  /**
   * Plans to replace what notes report on a page by a typed text. Has no side effects.
   * @throws DomainError INVALID_INPUT if the text can't replace a telephone number or an e-mail
   *   address
   */
  replaceNotedValues(job: NoteReplacementJob, work: JobOwner): Promise<NoteReplacement>;
  /** Plans to write unused values of a context to chosen places. Has no side effects. */
  placeContextValues(job: ValuePlacementJob, work: JobOwner): Promise<ValuePlacement>;
}

/**
 * A page, and the notes on it that are to be resolved by removing what they are about. A note says
 * what a person should check on a page, such as a price that is still the template's.
 */
export interface NoteRemovalJob {
  page: TemplatePage;
  notes: RemovableNote[];
}

/** The parts of a page that are removed to resolve notes. */
export interface NoteRemoval {
  /** Ids for `GeneratedPage.removed`. */
  removed: string[];
  /** Ids of the notes that are fully resolved. */
  dropped: string[];
  /** Sentences on what was removed, and on what could not be. */
  sentences: string[];
  /** New notes, on links to what was removed. */
  notes: Note[];
}

/** A page, notes on it, and the plain text that a person typed in place of their values. */
export interface NoteReplacementJob extends NoteRemovalJob {
  /** The only value of the notes to replace. Absent: all of their values. */
  value?: string;
  text: string;
}

/** The changes of a page in which a typed text replaces the values of notes. */
export interface NoteReplacement {
  texts: SlotTexts;
  /** New targets of links by their ids, such as `tel:` links. */
  links: Record<string, string>;
  /** The values that are replaced wherever the page has them, with the ids of their notes. */
  replaced: { id: string; value: string }[];
  /** Sentences on what could not be replaced, and why. */
  sentences: string[];
}

/** A page, the context that it was written from, and the places of values that it does not use. */
export interface ValuePlacementJob {
  page: TemplatePage;
  context: string;
  /** Places of a page, such as `Rating`, by the keys of the context. */
  places: Record<string, string>;
}

/** The changes of a page that give values of its context a place. */
export interface ValuePlacement {
  /** Nothing changes if a value has no such place on the page. */
  content: CommittedContent;
  /** Sentences on values that have no such place on the page. */
  sentences: string[];
}

/** What the rules can tell before a task is created. */
export interface RulesChecks {
  /** Writes a page, and lists the texts that it carries over. Throws like `generatePage`. */
  checkPage(job: Pick<PageWritingJob, 'template' | 'item'>, work: JobOwner): Promise<CheckedPage>;
  /** The keys of a context that have a place on a template, with the slots that they fill. */
  listKeys(slots: readonly TextSlot[], work: JobOwner): Promise<Record<string, string>>;
}

export interface CheckedPage {
  page: Pick<GeneratedPage, 'texts' | 'notes'>;
  /** The first 200 texts that are carried over from the template. Repeated ones are left out. */
  carriedOver: StayingText[];
  /** The first 100 remarks on problems with the context's values. */
  remarks: CellRemark[];
}

export type Agent = LanguageModel | RulesAgent;

/** The agents of a process. */
export interface AgentRegistry {
  /**
   * Finds an agent.
   * @param model `<provider>/<model>`; absent for the rules
   * @throws DomainError CONFIGURATION if this process does not have the model
   */
  of(model?: string): Agent;
}
