import type { PageMethods } from '../../../src/sites/pages/pages.ts';
import { openSite, type SiteName } from '../sites.ts';
import type { LanguageModel } from '../../../src/agents/agentPorts.ts';
import { followPrompt, type Outcome } from './carryOut.ts';
import type { Edit } from './edit.ts';
import { memoryTree } from '../../unit/agents/memoryTree.ts';
import { changedFiles, isGood, judgeEdit, type Verdict } from './judge.ts';
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

/** Prompts, one after the other. */
export async function* runEdits(
  model: LanguageModel,
  pages: PageMethods,
  some: Edit[],
): AsyncGenerator<Result> {
  for (const edit of some) yield await runEdit(model, pages, edit);
}

async function runEdit(model: LanguageModel, pages: PageMethods, edit: Edit): Promise<Result> {
  const { tree, files: before } = await changed(edit);
  const about = { name: edit.name, site: edit.site, asked: edit.prompt, before };
  const outcome = await followPrompt(model, { tree, pages }, edit);
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
