import type { Tree } from '../git/repository.ts';
import { isDerived } from '../pages/derivedFiles.ts';
import type { Pages } from '../pages/pages.ts';
import { readPageSource } from '../pages/pageSource.ts';
import { mergeNotes } from '../../contract/mergedNotes.ts';
import { changeNotes, type Done } from './changeNotes.ts';
import { listingNotes } from './listingNotes.ts';
import { siteKeys } from './newToSite.ts';
import { allGained, type Gained, gainedAt, newOutsiders } from './newOutsiders.ts';
import type { Note } from '../../contract/task.ts';

/** The effects of a commit. */
export interface CommitDone extends Omit<Done, 'outsiders' | 'doubled' | 'setups' | 'beside'> {
  /** The tree that the commit was made on. */
  tree: Tree;
  gained: Gained;
  /** Loads the caller's request. */
  request: () => Promise<string>;
  /** Names links that stand twice even if the request asks for them: it is only tried. */
  isTrial?: boolean;
}

/**
 * Makes notes on effects of a commit that nobody may have asked for. An agent may have obeyed
 * instructions on a page or in a context.
 */
export async function commitNotes(pages: Pages, done: CommitDone): Promise<Note[]> {
  const { tree, gained, request, isTrial = false } = done;
  const outsiders = await newOutsiders(tree, pages, gained.outsiders, request);
  const asked =
    gained.doubled.length === 0 || isTrial
      ? []
      : await pages.askedDoubles(await request(), gained.doubled);
  const doubled = gained.doubled.filter((_, i) => !asked[i]);
  const notes = changeNotes(pages, { ...done, ...gained, outsiders, doubled });
  // a trial does not derive the sitemaps, which a commit does
  const derived = isTrial ? [...tree.entries.keys()].filter(isDerived) : [];
  const listing = await listingNotes(pages, { ...done, paths: [...done.paths, ...derived] });
  return mergeNotes([...notes, ...listing]);
}

/**
 * The outsiders and doubled links that an existing commit added to the site. The templates of its
 * new pages are no longer known. So outsiders count only if the site had none of their keys before,
 * and doubled links of new pages are left out.
 */
export async function gainedIn(
  pages: Pick<Pages, 'gainedOutsiders' | 'sideEffects' | 'isPage' | 'knownKeys'>,
  { before, after, paths }: { before: Tree; after: Tree; paths: string[] },
): Promise<Gained> {
  const sourceIn = async (tree: Tree, path: string) =>
    tree.entries.has(path) ? (await readPageSource(tree, path)).source : '';
  const gained = paths.map(async (path) => {
    const [old, source] = [await sourceIn(before, path), await sourceIn(after, path)];
    if (pages.isPage(path) && old !== '' && source !== '')
      return gainedAt(path, await pages.sideEffects({ path, source }, old));
    const outsiders = await pages.gainedOutsiders({ path, source }, old);
    const setup = { removed: [], isUnlisted: false };
    return gainedAt(path, { outsiders, doubled: [], setup, beside: [] });
  });
  const { outsiders, ...others } = allGained(await Promise.all(gained));
  const known = await siteKeys(before, pages, [...new Set(outsiders.flatMap(({ keys }) => keys))]);
  return {
    outsiders: outsiders.filter(({ keys }) => !keys.some((key) => known.has(key))),
    ...others,
  };
}
