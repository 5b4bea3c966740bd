import { createHash } from 'node:crypto';
import type { PageFile } from '../contract/site.ts';
import type { Note } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import { checkChanges } from '../sites/checks/checkChanges.ts';
import type { Pages, PageSource } from '../sites/pages/pages.ts';
import type { FileChange, Tree } from '../sites/git/repository.ts';
import type { Conversation, ToolCall, ToolResult, Turn } from './agent.ts';
import { createSiteEdits, type MovedPage, type SiteEdits } from './siteEdits.ts';
import { createWarnings } from './warnings.ts';
import { plainWords } from './text/plainWords.ts';
import { runTool, type Toolset } from './tools.ts';
import type { Texts } from './tools/texts.ts';

export interface Workspace {
  /** Runs one tool call. A model's mistake is a result with `isError`, never a throw. */
  run(call: ToolCall): Promise<ToolResult>;
  /**
   * Runs a turn's tool calls in order.
   * @returns the results, the digest to record with the turn, and whether the turn finished the task
   * @throws DomainError INVALID_INPUT when the turn finishes with an error; CHECK_FAILED when a model was told
   *   three times what is wrong with its pages, and finishes with faults again
   */
  take(turn: Turn): Promise<{ results: ToolResult[]; digest: string; finished: boolean }>;
  /** Files that differ from the base commit now, by path. */
  changes(): FileChange[];
  /**
   * What a changed page was made of: its own bytes at the base commit, or those of the page that it was copied from;
   * null for neither.
   */
  before(path: string): Promise<PageSource | null>;
  /** Slug and title of every page as edited so far; titles of very large sites are left out. */
  pages(): Promise<{ slug: string; title: string }[]>;
  touched(): { created: PageFile[]; modified: PageFile[]; deleted: PageFile[] };
  /** Pages that the task found at another address. */
  moved(): MovedPage[];
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

interface WorkspaceOptions {
  tree: Tree;
  pages: Pages;
  texts: Texts;
  /**
   * Whose calls are run: the rules', if not given. For a model, `finish` runs the checks, and no call deletes the home
   * page.
   */
  toolset?: Toolset;
}

/** The tools' view of a site: its base commit and the edits so far, in memory. The same calls make the same edits. */
export function createWorkspace({ tree, pages, texts, toolset = 'rules' }: WorkspaceOptions): Workspace {
  const isModel = toolset === 'model';
  const site = createSiteEdits(tree, pages, texts, isModel);
  const warnings = createWarnings(site);
  const run = (call: ToolCall) =>
    call.invalid === undefined
      ? runTool({ site, warnings, texts }, call, toolset)
      : Promise.resolve({ id: call.id, content: call.invalid, isError: true });
  const faults = isModel ? createFinalCheck({ tree, pages, site }) : () => Promise.resolve(undefined);
  return {
    run,
    take: (turn) => take({ run, faults, words: isModel ? plainWords : (text) => text }, site, turn),
    changes: () => site.changes(),
    before: (path) => site.before(path),
    pages: () => site.titles(),
    touched: () => site.touched(),
    moved: () => site.moved(),
    counts: () => site.counts(),
    notes: () => warnings.list(),
    warnings: () => warnings.list().map(({ text }) => text),
    digest: () => site.digest(),
    size: () => site.size(),
  };
}

const NO_REASON = 'It could not be done, and no reason was given';

interface Taking {
  run: Workspace['run'];
  /** What is wrong with the edits, for whoever finishes. */
  faults: () => Promise<string | undefined>;
  /** What is said to people, as they get it. */
  words: (text: string) => string;
}

async function take({ run, faults, words }: Taking, site: SiteEdits, turn: Turn) {
  const results: ToolResult[] = [];
  for (const call of turn.toolCalls) results.push(await run(call));
  const finish = turn.toolCalls.findIndex(({ name }, i) => name === 'finish' && !results[i]!.isError);
  const error = turn.toolCalls[finish]?.arguments['error'];
  if (typeof error === 'string' && error !== '') throw new DomainError('INVALID_INPUT', words(error) || NO_REASON);
  if (finish !== -1) {
    // a model that finishes in the very turn in which a call failed has not seen that it failed
    const problem = results.some(({ isError }) => isError) ? 'another call of this turn failed' : await faults();
    if (problem !== undefined)
      results[finish] = { ...results[finish]!, content: `Not finished: ${problem}`, isError: true };
  }
  const digest = createHash('sha256')
    .update(JSON.stringify([results, site.digest()]))
    .digest('hex');
  return { results, digest: digest.slice(0, 32), finished: finish !== -1 && !results[finish]!.isError };
}

/** Times that a model which finishes is told what the checks find. */
const TOLD_OF_FAULTS = 3;

/**
 * The checks of the commit, for a model that finishes: it can mend what they find.
 * @returns what is wrong; undefined where nothing is
 * @throws DomainError CHECK_FAILED where something is wrong and it was told so three times before
 */
function createFinalCheck({ tree, pages, site }: { tree: Tree; pages: Pages; site: SiteEdits }): Taking['faults'] {
  let faulty = 0;
  return async () => {
    try {
      await checkChanges(pages, tree, { files: site.changes(), before: (path) => site.before(path), newLinks: true });
      return undefined;
    } catch (error) {
      if (!(error instanceof DomainError) || error.retryable) throw error;
      if (++faulty <= TOLD_OF_FAULTS) return error.message;
      throw new DomainError('CHECK_FAILED', `The model finished ${faulty} times with faults. ${error.message}`);
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
  const conversation: Omit<Conversation, 'taskId'> = { prompt, pages: await workspace.pages(), turns: [] };
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
