import { createHash } from 'node:crypto';
import type { PageFile } from '../contract/site.ts';
import type { Note } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import { checkChanges } from '../sites/checks/checkChanges.ts';
import type { PageSource } from '../sites/formats/format.ts';
import type { Pages } from '../sites/pages/pages.ts';
import type { FileChange, Tree } from '../sites/git/repository.ts';
import type { Conversation, ToolCall, ToolResult, Turn } from './agent.ts';
import { createSiteEdits, type MovedPage, type SiteEdits } from './siteEdits.ts';
import { createWarnings } from './warnings.ts';
import { plainWords } from './text/plainWords.ts';
import { type Answer, answerTo, type Edit, isEdit, makeEdit, type Reading } from './siteCalls.ts';
import { runTool } from './tools.ts';
import type { ToolContext } from './tools/tool.ts';
import type { Texts } from './tools/textsPort.ts';

export interface Workspace {
  /** Runs one call. A mistake of the agent is a result with `isError`, never a throw. */
  run(call: ToolCall): Promise<ToolResult>;
  /**
   * Runs a turn's calls in order.
   * @throws DomainError INVALID_INPUT when the turn finishes with an error; CHECK_FAILED when a
   *   model was told three times what is wrong with its pages, and finishes with faults again
   */
  take(turn: Turn): Promise<Taken>;
  /** Answers a question of the rules. */
  answer<Name extends Reading['name']>(
    question: Extract<Reading, { name: Name }>,
  ): Promise<Answer<Name>>;
  /** Makes an edit of the rules, which `taken` then covers. */
  edit(edit: Edit): Promise<void>;
  /** What came of the edits so far, as `take` says it of a turn with all of them. */
  taken(): Taken;
  /** Files that differ from the base commit now, by path. */
  changes(): FileChange[];
  /**
   * What a changed page was made of: its own bytes at the base commit, or those of the page that it
   * was copied from; null for neither.
   */
  before(path: string): Promise<PageSource | null>;
  /** Slug and title of every page as edited so far; titles of very large sites are left out. */
  pages(): Promise<{ slug: string; title: string }[]>;
  touched(): { created: PageFile[]; modified: PageFile[]; deleted: PageFile[] };
  /** Pages that the task found at another address. */
  moved(): MovedPage[];
  /** Pages in whose place the task put a copy of another one. */
  replaced(): PageFile[];
  /** Pages that were written, and that are gone. One that was moved is written. */
  counts(): { changed: number; deleted: number };
  /** For the task's output. */
  notes(): Note[];
  /** The sentences of the notes. */
  warnings(): string[];
  /** Digest of all edits so far. */
  digest(): string;
  /** Characters that it holds in memory. */
  size(): number;
}

/** What came of a turn. */
export interface Taken {
  results: ToolResult[];
  /** Of the results and all edits so far; recorded with the turn. */
  digest: string;
  /** Whether the turn ended the agent's work. */
  finished: boolean;
}

interface WorkspaceOptions {
  tree: Tree;
  pages: Pages;
  texts: Texts;
  /**
   * Whose calls are run: the rules', if not given. A model calls tools, which check what it gives;
   * its `finish` runs the checks of the commit.
   */
  agent?: 'rules' | 'model';
}

/**
 * The tools' view of a site: its base commit and the edits so far, in memory. The same calls make
 * the same edits.
 */
export function createWorkspace({
  tree,
  pages,
  texts,
  agent = 'rules',
}: WorkspaceOptions): Workspace {
  const isModel = agent === 'model';
  const site = createSiteEdits(tree, pages, texts, isModel);
  const warnings = createWarnings(site);
  const context = { site, warnings, texts };
  const run = isModel
    ? (call: ToolCall) => runModel(context, call)
    : (call: ToolCall) => runEdit(context, call);
  const faults = isModel
    ? createFinalCheck({ tree, pages, site })
    : () => Promise.resolve(undefined);
  const made: ToolResult[] = [];
  return {
    run,
    take: isModel
      ? (turn) => take({ run, faults }, site, turn)
      : (turn) => makeAgain(run, site, turn),
    answer: (question) => answerTo(context, question) as Promise<never>,
    edit: async (edit) => {
      await makeEdit(context, edit);
      made.push(madeBy(`edit-${made.length + 1}`));
    },
    taken: () => ({ results: made, digest: digestOf(made, site), finished: true }),
    changes: () => site.changes(),
    before: (path) => site.before(path),
    pages: () => site.titles(),
    touched: () => site.touched(),
    moved: () => site.moved(),
    replaced: () => site.replaced(),
    counts: () => site.counts(),
    notes: () => warnings.list(),
    warnings: () => warnings.list().map(({ text }) => text),
    digest: () => site.digest(),
    size: () => site.size(),
  };
}

const runModel = (context: ToolContext, call: ToolCall): Promise<ToolResult> =>
  call.invalid === undefined
    ? runTool(context, call)
    : Promise.resolve({ id: call.id, content: call.invalid, isError: true });

/** The result of an edit that was made. */
const madeBy = (id: string): ToolResult => ({ id, content: '', isError: false });

/** Makes a recorded edit of the rules again. */
async function runEdit(context: ToolContext, { id, ...edit }: ToolCall): Promise<ToolResult> {
  try {
    if (!isEdit(edit)) throw new DomainError('NOT_FOUND', `There is no edit "${edit.name}"`);
    await makeEdit(context, edit);
    return madeBy(id);
  } catch (error) {
    if (!(error instanceof DomainError) || error.retryable) throw error;
    return { id, content: error.message, isError: true };
  }
}

async function makeAgain(
  run: Workspace['run'],
  site: SiteEdits,
  { toolCalls }: Turn,
): Promise<Taken> {
  const results: ToolResult[] = [];
  for (const call of toolCalls) results.push(await run(call));
  return { results, digest: digestOf(results, site), finished: true };
}

const NO_REASON = 'It could not be done, and no reason was given';

interface Taking {
  run: Workspace['run'];
  /** What is wrong with the edits, for whoever finishes. */
  faults: () => Promise<string | undefined>;
}

async function take({ run, faults }: Taking, site: SiteEdits, turn: Turn): Promise<Taken> {
  const results: ToolResult[] = [];
  for (const call of turn.toolCalls) results.push(await run(call));
  const finish = turn.toolCalls.findIndex(
    ({ name }, i) => name === 'finish' && !results[i]!.isError,
  );
  const error = turn.toolCalls[finish]?.arguments['error'];
  if (typeof error === 'string' && error !== '')
    throw new DomainError('INVALID_INPUT', plainWords(error) || NO_REASON);
  if (finish !== -1) {
    // a model that finishes in the very turn in which a call failed has not seen that it failed
    const problem = results.some(({ isError }) => isError)
      ? 'another call of this turn failed'
      : await faults();
    if (problem !== undefined)
      results[finish] = { ...results[finish]!, content: `Not finished: ${problem}`, isError: true };
  }
  return {
    results,
    digest: digestOf(results, site),
    finished: finish !== -1 && !results[finish]!.isError,
  };
}

const digestOf = (results: ToolResult[], site: SiteEdits): string =>
  createHash('sha256')
    .update(JSON.stringify([results, site.digest()]))
    .digest('hex')
    .slice(0, 32);

/** Times that a model which finishes is told what the checks find. */
const TOLD_OF_FAULTS = 3;

/**
 * The checks of the commit, for a model that finishes: it can mend what they find.
 * @returns what is wrong; undefined where nothing is
 * @throws DomainError CHECK_FAILED where something is wrong and it was told so three times before
 */
function createFinalCheck({
  tree,
  pages,
  site,
}: {
  tree: Tree;
  pages: Pages;
  site: SiteEdits;
}): Taking['faults'] {
  let faulty = 0;
  return async () => {
    try {
      await checkChanges(pages, tree, {
        files: site.changes(),
        before: (path) => site.before(path),
        newLinks: true,
      });
      return undefined;
    } catch (error) {
      if (!(error instanceof DomainError) || error.retryable) throw error;
      if (++faulty <= TOLD_OF_FAULTS) return error.message;
      throw new DomainError(
        'CHECK_FAILED',
        `The model finished ${faulty} times with faults. ${error.message}`,
      );
    }
  };
}

/**
 * Rebuilds a conversation on a fresh workspace from the recorded turns.
 * @throws DomainError CHANGED_BY_DEPLOY where a turn's tools answer other than when it was recorded
 */
export async function replay(
  workspace: Workspace,
  prompt: string,
  turns: Turn[],
): Promise<Omit<Conversation, 'taskId'>> {
  const conversation: Omit<Conversation, 'taskId'> = {
    prompt,
    pages: await workspace.pages(),
    turns: [],
  };
  for (const [index, turn] of turns.entries()) {
    const { results, digest } = await workspace.take(turn);
    if (turn.digest !== undefined && turn.digest !== digest) throw changedByDeploy(index + 1);
    conversation.turns.push({ turn, results });
  }
  return conversation;
}

const changedByDeploy = (turn: number) =>
  new DomainError(
    'CHANGED_BY_DEPLOY',
    `The service was updated while this task ran: the edits of turn ${turn} come out differently now, so none were made. Create the task again`,
  );
