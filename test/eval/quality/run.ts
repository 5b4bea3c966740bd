import { DomainError } from '../../../src/errors.ts';
import type { Pages } from '../../../src/sites/pages/pages.ts';
import { openSite, type SiteName } from '../sites.ts';
import { batches } from './batches.ts';
import type { Agent } from '../../../src/agents/port.ts';
import { followPrompt, type Outcome, writeBatch } from './carryOut.ts';
import type { Edit } from './edit.ts';
import { edits } from './edits.ts';
import { kinds } from './kinds.ts';
import { memoryTree } from '../../unit/agents/memoryTree.ts';
import { changedFiles, isGood, judgeBatch, judgeEdit, type Verdict } from './judge.ts';
import type { Files } from './site.ts';

/** One task, and how it went. */
export interface Result {
  name: string;
  site: SiteName;
  asked: string;
  /** Why it failed. The other fields are there where it did not. */
  error?: string;
  verdict?: Verdict;
  outcome?: Outcome;
  before: Files;
  after: Files;
}

/**
 * Every prompt and every batch of pages, one after the other. `only`: those whose name contains it.
 */
export async function* runAll(agent: Agent, pages: Pages, only = ''): AsyncGenerator<Result> {
  const isWanted = ({ name }: { name: string }) => name.includes(only);
  yield* runEdits(agent, pages, [...edits, ...kinds].filter(isWanted));
  for (const batch of batches.filter(isWanted)) {
    const { tree, files } = await filesOf(batch.site);
    const asked = `${batch.items.length} page(s) from ${batch.template}`;
    yield await resultOf({ name: batch.name, site: batch.site, asked, before: files }, async () => {
      const outcome = await writeBatch(agent, { tree, pages }, batch);
      return { outcome, verdict: await judgeBatch(pages, batch, files, outcome) };
    });
  }
}

/** Prompts, one after the other. */
export async function* runEdits(agent: Agent, pages: Pages, some: Edit[]): AsyncGenerator<Result> {
  for (const edit of some) yield await runEdit(agent, pages, edit);
}

async function runEdit(agent: Agent, pages: Pages, edit: Edit): Promise<Result> {
  const { tree, files: before } = await changed(edit);
  const about = { name: edit.name, site: edit.site, asked: edit.prompt, before };
  const outcome = await followPrompt(agent, { tree, pages }, edit);
  const { error } = outcome;
  if (error !== undefined && edit.fails === undefined) return { ...about, error, after: before };
  const verdict = judgeEdit(edit, before, outcome);
  return { ...about, outcome, verdict, after: changedFiles(before, outcome) };
}

/** The site of an edit, as the edit changes it first. */
async function changed({ site, change }: Edit) {
  const { tree, files } = await filesOf(site);
  if (!change) return { tree, files };
  const own = change(files);
  const others = [...tree.entries.keys()].filter((path) => !(path in files));
  return {
    files: own,
    tree: memoryTree({ ...Object.fromEntries(others.map((path) => [path, ''])), ...own }),
  };
}

async function resultOf(
  about: Omit<Result, 'after'>,
  run: () => Promise<{ outcome: Outcome; verdict: Verdict }>,
): Promise<Result> {
  try {
    const { outcome, verdict } = await run();
    return { ...about, outcome, verdict, after: changedFiles(about.before, outcome) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { ...about, error: error.message, after: about.before };
  }
}

/** The files of a site that can be read as text, and its tree. */
async function filesOf(name: SiteName) {
  const { tree } = openSite(name);
  const paths = [...tree.entries.keys()].filter((path) =>
    /\.(?:html|css|xml|json|txt)$/.test(path),
  );
  const files = Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await tree.read(path)])),
  );
  return { tree, files: files as Files };
}

export const wordFor = ({ error, verdict, outcome }: Result) => {
  if (verdict && isGood(verdict)) return 'right';
  return (error ?? outcome?.error) === undefined ? 'wrong' : 'refused';
};
