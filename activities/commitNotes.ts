import type { PageFile } from '../src/contract/site.ts';
import type { Note } from '../src/contract/task.ts';
import type { MovedPage } from '../src/agents/siteEdits.ts';
import { changeNotes } from '../src/sites/checks/changeNotes.ts';
import { siteKeys } from '../src/sites/checks/foreign.ts';
import { type GainedOutsider, newOutsiders } from '../src/sites/checks/newOutsiders.ts';
import type { Tree } from '../src/sites/git/repository.ts';
import type { ChangedPages } from '../src/sites/pages/derived.ts';
import type { Pages } from '../src/sites/pages/pages.ts';
import { readPageSource } from '../src/sites/pages/pageSource.ts';

/** What a commit is known to have done. */
export interface CommitDone {
  /** What it was made on, and the files that it wrote or deleted. */
  tree: Tree;
  paths: string[];
  changed: ChangedPages;
  moved: MovedPage[];
  replaced: PageFile[];
  gained: GainedOutsider[];
  /** What the caller wrote. */
  request: () => Promise<string>;
}

/**
 * Notes on what a commit does that nobody may have asked for, whoever made it: an agent may have obeyed what it read
 * on a page or in a context.
 */
export async function commitNotes(pages: Pages, done: CommitDone): Promise<Note[]> {
  const { tree, gained, request } = done;
  const outsiders = await newOutsiders(tree, pages, gained, request);
  return changeNotes(pages, { ...done, outsiders });
}

/**
 * Whom the files of a commit that was found lead to, ask or name outside of the site, and no page did before. What its
 * new pages were made of is not known any more: the site's pages stand in for that.
 */
export async function gainedIn(
  pages: Pick<Pages, 'gainedOutsiders' | 'isPage' | 'knownKeys'>,
  { before, after, paths }: { before: Tree; after: Tree; paths: string[] },
): Promise<GainedOutsider[]> {
  const sourceIn = async (tree: Tree, path: string) =>
    tree.entries.has(path) ? (await readPageSource(tree, path)).source : '';
  const gained = paths.map(async (path) => {
    const [old, source] = [await sourceIn(before, path), await sourceIn(after, path)];
    const outsiders = await pages.gainedOutsiders({ path, source }, old);
    return outsiders.map((outsider) => ({ ...outsider, path }));
  });
  const all = (await Promise.all(gained)).flat();
  const known = await siteKeys(before, pages, [...new Set(all.flatMap(({ keys }) => keys))]);
  return all.filter(({ keys }) => !keys.some((key) => known.has(key)));
}
