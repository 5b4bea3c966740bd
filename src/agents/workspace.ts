import { createHash } from 'node:crypto';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import type { ModelQuestion, Note } from '../contract/task.ts';
import { DomainError, finalError, invalidInputError, notFoundError } from '../errors.ts';
import { checkChanges } from '../sites/checks/checkChanges.ts';
import type { PageMethods } from '../sites/pages/pages.ts';
import type { Tree } from '../sites/git/repository.ts';
import type { AgentConversation, ToolCall, ToolResult, ModelTurn } from './shared/agentTypes.ts';
import { createSiteEdits, type SiteEdits } from './shared/site/siteEdits.ts';
import { createTaskWarnings, type TaskWarnings } from './shared/site/taskWarnings.ts';
import {
  type RulesQueryResult,
  answerRulesQuery,
  type RulesEdit,
  isRulesEdit,
  makeRulesEdit,
  type RulesQuery,
} from './shared/tools/rulesCalls.ts';
import {
  createTaskPictures,
  type TaskPictures,
  listUnseenAltNotes,
} from './shared/site/taskPictures.ts';
import { runTool } from './model/tools/modelTools.ts';
import { NOBODY_ANSWERED } from './model/tools/askTool.ts';
import { readFinishArguments, createFinishNotes } from './model/tools/finishTool.ts';
import type { PromptTaskQuestions, ToolContext } from './shared/tools/toolContext.ts';
import type { PageTextCalls } from './shared/texts/textsPool.ts';

/**
 * A site with one task's edits in memory, and an agent's operations on it. The rules read it by
 * `answer` and change it by `edit`. For a language model, `runTurn` runs the tool calls of a turn
 * (one call of the model, with the tools that its answer calls), and returns their results.
 * `changes` are the files to commit in the end.
 *
 *     runTurn({ text: '', toolCalls: [{ id: '1', name: 'search', arguments: { text: '…' } }] })
 *     → { results: [{ id: '1', content: '…', isError: false }], digest: '…', finished: false }
 *
 * A task's history stores turns, not edits: `replayTurns` makes the same edits again from them.
 */
export interface Workspace extends Pick<
  SiteEdits,
  | 'changes'
  | 'before'
  | 'touched'
  | 'moved'
  | 'replaced'
  | 'redirected'
  | 'counts'
  | 'digest'
  | 'size'
> {
  /** Runs one tool call. The agent's mistakes become results with `isError`, not exceptions. */
  runCall(call: ToolCall): Promise<ToolResult>;
  /**
   * Runs a turn's calls in order.
   * @throws DomainError INVALID_INPUT if the turn finishes with an error; CHECK_FAILED if a model
   *   finishes with violations (what a check found wrong) after it was told of some three times
   */
  runTurn(turn: ModelTurn): Promise<TurnOutcome>;
  /** Answers a query of the rules. */
  answer<Name extends RulesQuery['name']>(
    question: Extract<RulesQuery, { name: Name }>,
  ): Promise<RulesQueryResult<Name>>;
  /** Makes an edit of the rules, which `outcome` then includes. */
  edit(edit: RulesEdit): Promise<void>;
  /** The result of all edits so far, as `runTurn` returns it for one turn with all of them. */
  outcome(): TurnOutcome;
  /** Slug and title of every page, including edits. On a very large site, titles are left out. */
  pages(): Promise<{ slug: string; title: string }[]>;
  /** Takes note of the answer to a question. After null (no answer), the model may ask no more. */
  recordAnswer(answer: string | null): void;
  /** The notes on the edits: what a person should check. */
  notes(): Promise<Note[]>;
  /** The texts of the notes. */
  warnings(): Promise<string[]>;
}

/** The result of a turn. */
export interface TurnOutcome {
  results: ToolResult[];
  /** Digest of the results and all edits so far. It is recorded with the turn. */
  digest: string;
  /** Whether this turn ended the agent's work. */
  finished: boolean;
  /** The question that this turn asks people. */
  asked?: ModelQuestion;
}

interface WorkspaceOptions {
  tree: Tree;
  pages: PageMethods;
  texts: PageTextCalls;
  /**
   * The agent that makes the calls; default `rules`, whose calls are recorded edits. A model calls
   * tools, which check their arguments, and its `finish` runs the checks of a commit.
   */
  agent?: 'rules' | 'model';
  /** Whether the model may ask people. */
  mayAsk?: boolean;
  /** The file of redirects to create if the site has none; absent if none may be created. */
  newHostFile?: string;
  /** ISO 8601 time of the task. New pages that state their dates get it. */
  date?: string;
  /** The customer's request to a model; '' if it is not known. */
  request?: string;
}

/** Opens a site's base commit for edits in memory. The same calls always make the same edits. */
export function createWorkspace({
  tree,
  pages,
  texts,
  agent = 'rules',
  mayAsk = false,
  newHostFile,
  date,
  request = '',
}: WorkspaceOptions): Workspace {
  const isModel = agent === 'model';
  const site = createSiteEdits({
    tree,
    pages,
    texts,
    keepsHome: isModel,
    ...withoutUndefined({ newHostFile, date }),
  });
  const warnings = createTaskWarnings(site);
  const questions: PromptTaskQuestions | undefined = mayAsk ? { count: 0 } : undefined;
  const pictures = createTaskPictures(tree);
  const context = { site, warnings, texts, pictures, ...withoutUndefined({ questions }) };
  const runCall = (call: ToolCall) => (isModel ? runModelCall : repeatRecordedEdit)(context, call);
  const findViolations = createFinishCheck({ tree, pages, site });
  const listAltNotes = () => listUnseenAltNotes(pages, site, { pictures, request });
  const editResults: ToolResult[] = [];
  return {
    ...site,
    runCall,
    runTurn: isModel
      ? (turn) =>
          runModelTurn(
            { runCall, findViolations, warnings, questions, pictures, listAltNotes },
            site,
            turn,
          )
      : (turn) => repeatRecordedTurn(runCall, site, turn),
    answer: (question) => answerRulesQuery(context, question) as Promise<never>,
    edit: async (edit) => {
      await makeRulesEdit(context, edit);
      editResults.push(createSuccessResult(`edit-${editResults.length + 1}`));
    },
    outcome: () => ({
      results: editResults,
      digest: createTurnDigest(editResults, site),
      finished: true,
    }),
    pages: () => site.titles(),
    recordAnswer: (answer) => {
      if (questions && answer === null) questions.isUnanswered = true;
    },
    notes: () => warnings.list(),
    warnings: async () => (await warnings.list()).map(({ text }) => text),
  };
}

async function runModelCall(context: ToolContext, call: ToolCall): Promise<ToolResult> {
  const { id, invalid } = call;
  if (invalid !== undefined) return { id, content: invalid, isError: true };
  return runTool(context, call);
}

/** The result of a successful edit. */
const createSuccessResult = (id: string): ToolResult => ({ id, content: '', isError: false });

/** Repeats a recorded edit of the rules. */
async function repeatRecordedEdit(
  context: ToolContext,
  { id, ...edit }: ToolCall,
): Promise<ToolResult> {
  try {
    if (!isRulesEdit(edit)) throw notFoundError(`There is no edit "${edit.name}"`);
    await makeRulesEdit(context, edit);
    return createSuccessResult(id);
  } catch (error) {
    return { id, content: finalError(error).message, isError: true };
  }
}

async function runTurnCalls(
  run: Workspace['runCall'],
  { toolCalls }: ModelTurn,
): Promise<ToolResult[]> {
  const results: ToolResult[] = [];
  for (const call of toolCalls) results.push(await run(call));
  return results;
}

/** Repeats the edits of a recorded turn of the rules. */
async function repeatRecordedTurn(
  run: Workspace['runCall'],
  site: SiteEdits,
  turn: ModelTurn,
): Promise<TurnOutcome> {
  const results = await runTurnCalls(run, turn);
  return { results, digest: createTurnDigest(results, site), finished: true };
}

interface TurnDependencies {
  runCall: Workspace['runCall'];
  /** Finds violations when a model finishes. Their text goes back to the model. */
  findViolations: () => Promise<string | undefined>;
  warnings: TaskWarnings;
  questions: PromptTaskQuestions | undefined;
  pictures: TaskPictures;
  /** The notes on alternative texts of pictures that the model has not seen. */
  listAltNotes: () => Promise<Note[]>;
}

async function runModelTurn(
  { runCall, findViolations, warnings, questions, pictures, listAltNotes }: TurnDependencies,
  site: SiteEdits,
  turn: ModelTurn,
): Promise<TurnOutcome> {
  if (questions) questions.current = undefined;
  if (turn.isWithoutPictures) pictures.hide();
  const results = await runTurnCalls(runCall, turn);
  const askedQuestion = questions?.current;
  const finishIndex = turn.toolCalls.findIndex(
    ({ name }, i) => name === 'finish' && !results[i]!.isError,
  );
  const createOutcome = (finished: boolean) => ({
    results,
    digest: createTurnDigest(results, site),
    finished,
    ...withoutUndefined({ asked: askedQuestion }),
  });
  if (finishIndex === -1) return createOutcome(false);
  const finishArguments = readFinishArguments(turn.toolCalls[finishIndex]!.arguments);
  if (finishArguments.error !== undefined && !askedQuestion)
    throw invalidInputError(finishArguments.error);
  // the model has not yet seen that another call of this turn failed
  const problem = results.some(({ isError }) => isError)
    ? finishTexts.failedCall
    : askedQuestion
      ? finishTexts.openQuestion
      : await findViolations();
  if (problem !== undefined)
    results[finishIndex] = {
      ...results[finishIndex]!,
      content: finishTexts.refused(problem),
      isError: true,
    };
  else
    warnings.add(
      ...createFinishNotes(finishArguments, hasChanges(site)),
      ...(await listAltNotes()),
    );
  return createOutcome(problem === undefined);
}

const hasChanges = (site: SiteEdits) => site.changes().length > 0;

/** What a model reads if it cannot finish yet. */
export const finishTexts = {
  refused: (problem: string) => `Not finished: ${problem}`,
  failedCall: 'another call of this turn failed',
  openQuestion: 'the question is not answered yet',
  nothingChanged:
    'nothing is changed. Where the site was so already, call finish again with a summary that says so; where it could not be done, give finish an error',
};

const createTurnDigest = (results: ToolResult[], site: SiteEdits): string =>
  createHash('sha256')
    .update(JSON.stringify([results, site.digest()]))
    .digest('hex')
    .slice(0, 32);

interface FinishCheckDependencies {
  tree: Tree;
  pages: PageMethods;
  site: SiteEdits;
}

/** How many times a model is told what the checks found. The next time, the task fails. */
const MAX_REFUSED_FINISHES = 3;

/**
 * Makes the function that runs the checks of a commit when a model finishes. It returns the
 * violations, so that the model can fix them; undefined if there are none. If nothing is changed,
 * it asks about that once. The fourth time that it finds violations, it throws CHECK_FAILED.
 */
function createFinishCheck({
  tree,
  pages,
  site,
}: FinishCheckDependencies): TurnDependencies['findViolations'] {
  let refusedFinishes = 0;
  let wasToldOfNoChange = false;
  return async () => {
    if (!hasChanges(site) && !wasToldOfNoChange) {
      wasToldOfNoChange = true;
      return finishTexts.nothingChanged;
    }
    try {
      await checkChanges(pages, tree, {
        files: site.changes(),
        before: (path) => site.before(path),
        mayAddLinks: true,
      });
      return undefined;
    } catch (error) {
      const { message } = finalError(error);
      if (++refusedFinishes <= MAX_REFUSED_FINISHES) return message;
      throw new DomainError(
        'CHECK_FAILED',
        `The language model finished ${refusedFinishes} times with violations. The last one: ${message}`,
      );
    }
  };
}

/**
 * Rebuilds a conversation on a new workspace, by running the recorded turns again.
 * @throws DomainError CHANGED_BY_DEPLOY if a turn now has other results than recorded
 */
export async function replayTurns(
  workspace: Workspace,
  prompt: string,
  turns: ModelTurn[],
): Promise<Omit<AgentConversation, 'taskId' | 'siteId'>> {
  const conversation: Omit<AgentConversation, 'taskId' | 'siteId'> = {
    prompt,
    pages: await workspace.pages(),
    turns: [],
  };
  for (const [index, turn] of turns.entries()) {
    if (turn.answered !== undefined) recordAnswer({ conversation, workspace }, turn.answered);
    const { results, digest } = await workspace.runTurn(turn);
    if (turn.digest !== undefined && turn.digest !== digest)
      throw createChangedByDeployError(index + 1);
    conversation.turns.push({ turn, results });
  }
  return conversation;
}

/**
 * Writes the answer to the last turn's question into the result of its `ask` call, where the model
 * reads it. null: nobody answered in time. Doing it again changes nothing.
 */
export function recordAnswer(
  {
    conversation,
    workspace,
  }: { conversation: Pick<AgentConversation, 'turns'>; workspace: Workspace },
  answer: string | null,
): void {
  workspace.recordAnswer(answer);
  const { turn, results } = conversation.turns.at(-1)!;
  const questionIndex = turn.toolCalls.findIndex(
    ({ name }, i) => name === 'ask' && !results[i]!.isError,
  );
  if (questionIndex !== -1)
    results[questionIndex] = {
      ...results[questionIndex]!,
      content: answer ?? NOBODY_ANSWERED,
      isAnswer: answer !== null,
    };
}

const createChangedByDeployError = (turn: number) =>
  new DomainError(
    'CHANGED_BY_DEPLOY',
    `The service was updated while the task ran, and the edits of turn ${turn} would now have another result, so none were made. Create the task again`,
  );
