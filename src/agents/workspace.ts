import { createHash } from 'node:crypto';
import { defined } from '../contract/defined.ts';
import type { AskedQuestion, Note } from '../contract/task.ts';
import { DomainError, finalError, invalidInput, notFound } from '../errors.ts';
import { checkChanges } from '../sites/checks/checkChanges.ts';
import type { Pages } from '../sites/pages/pages.ts';
import type { Tree } from '../sites/git/repository.ts';
import type { Conversation, ToolCall, ToolResult, Turn } from './agent.ts';
import { createSiteEdits, type SiteEdits } from './siteEdits.ts';
import { createWarnings, type Warnings } from './warnings.ts';
import { type Answer, answerTo, type Edit, isEdit, makeEdit, type Reading } from './siteCalls.ts';
import { createPictures, type TaskPictures, unseenAltNotes } from './pictures.ts';
import { runTool } from './tools.ts';
import { NOBODY_ANSWERED } from './tools/model/ask.ts';
import { endingOf, endNotes } from './tools/model/finish.ts';
import type { Questions, ToolContext } from './tools/tool.ts';
import type { Texts } from './tools/textsPool.ts';

/** A site with one task's edits, and an agent's operations on it. */
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
  /** Runs one call. The agent's mistakes become results with `isError` and are never thrown. */
  run(call: ToolCall): Promise<ToolResult>;
  /**
   * Runs a turn's calls in order.
   * @throws DomainError INVALID_INPUT if the turn finishes with an error; CHECK_FAILED if a model
   *   finishes with faults after it was told about faults three times
   */
  take(turn: Turn): Promise<Taken>;
  /** Answers a question that the rules ask. */
  answer<Name extends Reading['name']>(
    question: Extract<Reading, { name: Name }>,
  ): Promise<Answer<Name>>;
  /** Makes an edit of the rules. `taken` then includes it. */
  edit(edit: Edit): Promise<void>;
  /** The result of all edits so far, as `take` returns it for one turn with all of them. */
  taken(): Taken;
  /** Slug and title of every page, including edits. Very large sites have no titles. */
  pages(): Promise<{ slug: string; title: string }[]>;
  /** Tells the answer to the last turn's question; null: nobody answered. Repeatable. */
  hearAnswer(answer: string | null): void;
  /** The notes for the task's output. */
  notes(): Promise<Note[]>;
  /** The texts of the notes. */
  warnings(): Promise<string[]>;
}

/** The result of a turn. */
export interface Taken {
  results: ToolResult[];
  /** Digest of the results and all edits so far. It is recorded with the turn. */
  digest: string;
  /** Whether this turn ended the agent's work. */
  finished: boolean;
  /** The question to people that this turn asks. */
  asked?: AskedQuestion;
}

interface WorkspaceOptions {
  tree: Tree;
  pages: Pages;
  texts: Texts;
  /**
   * The agent that makes the calls: by default `rules`. A model calls tools, which check their
   * arguments, and its `finish` runs the checks of a commit.
   */
  agent?: 'rules' | 'model';
  /** Whether the model may ask people. */
  mayAsk?: boolean;
  /** The file of redirects to make for a site that has none; absent: none is made. */
  newHostFile?: string;
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
  request = '',
}: WorkspaceOptions): Workspace {
  const isModel = agent === 'model';
  const site = createSiteEdits({
    tree,
    pages,
    texts,
    keepsHome: isModel,
    ...defined({ newHostFile }),
  });
  const warnings = createWarnings(site);
  const questions: Questions | undefined = mayAsk ? { count: 0 } : undefined;
  const pictures = createPictures(tree);
  const context = { site, warnings, texts, pictures, ...defined({ questions }) };
  const run = (call: ToolCall) => (isModel ? runModel : runEdit)(context, call);
  const faults = createFinalCheck({ tree, pages, site });
  const altNotes = () => unseenAltNotes(pages, site, { pictures, request });
  const made: ToolResult[] = [];
  return {
    ...site,
    run,
    take: isModel
      ? (turn) => take({ run, findViolations: faults, warnings, questions, pictures, listAltNotes: altNotes }, site, turn)
      : (turn) => makeAgain(run, site, turn),
    answer: (question) => answerTo(context, question) as Promise<never>,
    edit: async (edit) => {
      await makeEdit(context, edit);
      made.push(madeBy(`edit-${made.length + 1}`));
    },
    taken: () => ({ results: made, digest: digestOf(made, site), finished: true }),
    pages: () => site.titles(),
    hearAnswer: (answer) => {
      if (questions && answer === null) questions.isUnanswered = true;
    },
    notes: () => warnings.list(),
    warnings: async () => (await warnings.list()).map(({ text }) => text),
  };
}

async function runModel(context: ToolContext, call: ToolCall): Promise<ToolResult> {
  const { id, invalid } = call;
  if (invalid !== undefined) return { id, content: invalid, isError: true };
  return runTool(context, call);
}

/** The result of a successful edit. */
const madeBy = (id: string): ToolResult => ({ id, content: '', isError: false });

/** Repeats a recorded edit of the rules. */
async function runEdit(context: ToolContext, { id, ...edit }: ToolCall): Promise<ToolResult> {
  try {
    if (!isEdit(edit)) throw notFound(`There is no edit "${edit.name}"`);
    await makeEdit(context, edit);
    return madeBy(id);
  } catch (error) {
    return { id, content: finalError(error).message, isError: true };
  }
}

async function resultsOf(run: Workspace['run'], { toolCalls }: Turn): Promise<ToolResult[]> {
  const results: ToolResult[] = [];
  for (const call of toolCalls) results.push(await run(call));
  return results;
}

/** Repeats the edits of a recorded turn of the rules. */
async function makeAgain(run: Workspace['run'], site: SiteEdits, turn: Turn): Promise<Taken> {
  const results = await resultsOf(run, turn);
  return { results, digest: digestOf(results, site), finished: true };
}

interface Taking {
  run: Workspace['run'];
  /** Finds what keeps the task from its end when a model finishes. */
  findViolations: () => Promise<string | undefined>;
  warnings: Warnings;
  questions: Questions | undefined;
  pictures: TaskPictures;
  /** The notes on alternative texts of pictures that the model has not seen. */
  listAltNotes: () => Promise<Note[]>;
}

async function take(
  { run, findViolations: faults, warnings, questions, pictures, listAltNotes: altNotes }: Taking,
  site: SiteEdits,
  turn: Turn,
): Promise<Taken> {
  if (questions) questions.current = undefined;
  if (turn.isWithoutPictures) pictures.hide();
  const results = await resultsOf(run, turn);
  const asked = questions?.current;
  const finish = turn.toolCalls.findIndex(
    ({ name }, i) => name === 'finish' && !results[i]!.isError,
  );
  const taken = (finished: boolean) => ({
    results,
    digest: digestOf(results, site),
    finished,
    ...defined({ asked }),
  });
  if (finish === -1) return taken(false);
  const ending = endingOf(turn.toolCalls[finish]!.arguments);
  if (ending.error !== undefined && !asked) throw invalidInput(ending.error);
  // the model has not yet seen that another call of this turn failed
  const problem = results.some(({ isError }) => isError)
    ? 'another call of this turn failed'
    : asked
      ? 'the question is not answered yet'
      : await faults();
  if (problem !== undefined)
    results[finish] = { ...results[finish]!, content: `Not finished: ${problem}`, isError: true };
  else warnings.add(...endNotes(ending, isChanged(site)), ...(await altNotes()));
  return taken(problem === undefined);
}

const isChanged = (site: SiteEdits) => site.changes().length > 0;

const NOTHING_CHANGED =
  'nothing is changed. Where the site was so already, call finish again with a summary that says so; where it could not be done, give finish an error';

const digestOf = (results: ToolResult[], site: SiteEdits): string =>
  createHash('sha256')
    .update(JSON.stringify([results, site.digest()]))
    .digest('hex')
    .slice(0, 32);

interface Checked {
  tree: Tree;
  pages: Pages;
  site: SiteEdits;
}

/** How many times a model is told what the checks found. */
const TOLD_OF_FAULTS = 3;

/**
 * Runs the checks of a commit when a model finishes, so that it can fix the faults. Asks back once
 * if nothing is changed.
 * @returns the faults, if any
 * @throws DomainError CHECK_FAILED if faults remain after three answers
 */
function createFinalCheck({ tree, pages, site }: Checked): Taking['findViolations'] {
  let faulty = 0;
  let wasTold = false;
  return async () => {
    if (!isChanged(site) && !wasTold) {
      wasTold = true;
      return NOTHING_CHANGED;
    }
    try {
      await checkChanges(pages, tree, {
        files: site.changes(),
        before: (path) => site.before(path),
        newLinks: true,
      });
      return undefined;
    } catch (error) {
      const { message } = finalError(error);
      if (++faulty <= TOLD_OF_FAULTS) return message;
      throw new DomainError(
        'CHECK_FAILED',
        `The model finished ${faulty} times with faults. ${message}`,
      );
    }
  };
}

/**
 * Rebuilds a conversation on a new workspace from its recorded turns.
 * @throws DomainError CHANGED_BY_DEPLOY if a turn now has other results than recorded
 */
export async function replay(
  workspace: Workspace,
  prompt: string,
  turns: Turn[],
): Promise<Omit<Conversation, 'taskId' | 'siteId'>> {
  const conversation: Omit<Conversation, 'taskId' | 'siteId'> = {
    prompt,
    pages: await workspace.pages(),
    turns: [],
  };
  for (const [index, turn] of turns.entries()) {
    if (turn.answered !== undefined) hear({ conversation, workspace }, turn.answered);
    const { results, digest } = await workspace.take(turn);
    if (turn.digest !== undefined && turn.digest !== digest) throw changedByDeploy(index + 1);
    conversation.turns.push({ turn, results });
  }
  return conversation;
}

/** Gives the model the answer to the question of the last turn. Repeatable. */
export function hear(
  { conversation, workspace }: { conversation: Pick<Conversation, 'turns'>; workspace: Workspace },
  answer: string | null,
): void {
  workspace.hearAnswer(answer);
  const { turn, results } = conversation.turns.at(-1)!;
  const at = turn.toolCalls.findIndex(({ name }, i) => name === 'ask' && !results[i]!.isError);
  if (at !== -1)
    results[at] = {
      ...results[at]!,
      content: answer ?? NOBODY_ANSWERED,
      isAnswer: answer !== null,
    };
}

const changedByDeploy = (turn: number) =>
  new DomainError(
    'CHANGED_BY_DEPLOY',
    `The service was updated while this task ran: the edits of turn ${turn} come out differently now, so none were made. Create the task again`,
  );
