import { DomainError } from '../../../src/errors.ts';
import type { Pages } from '../../../src/sites/pages/pages.ts';
import { openSite, type SiteName } from '../sites.ts';
import { batches } from './batches.ts';
import type { Agent } from '../../../src/agents/port.ts';
import { followPrompt, type Outcome, writeBatch } from './carryOut.ts';
import { edits } from './edits.ts';
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
  for (const edit of edits.filter(({ name }) => name.includes(only))) {
    const { tree, files } = await filesOf(edit.site);
    const about = { name: edit.name, site: edit.site, asked: edit.prompt, before: files };
    yield await resultOf(about, async () => {
      const outcome = await followPrompt(agent, { tree, pages }, edit.prompt);
      return { outcome, verdict: await judgeEdit(pages, edit, files, outcome) };
    });
  }
  for (const batch of batches.filter(({ name }) => name.includes(only))) {
    const { tree, files } = await filesOf(batch.site);
    const asked = `${batch.items.length} page(s) from ${batch.template}`;
    yield await resultOf({ name: batch.name, site: batch.site, asked, before: files }, async () => {
      const outcome = await writeBatch(agent, { tree, pages }, batch);
      return { outcome, verdict: await judgeBatch(pages, batch, files, outcome) };
    });
  }
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

export const wordFor = ({ error, verdict }: Result) =>
  error !== undefined ? 'refused' : verdict && isGood(verdict) ? 'right' : 'wrong';
