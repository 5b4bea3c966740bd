import type { Tree } from '../git/repository.ts';
import { isDerived } from '../pages/sitemap/derivedFiles.ts';
import type { PageMethods } from '../pages/pages.ts';
import { readPageSource } from '../pages/pageSource.ts';
import { mergeNotes } from '../../contract/notes/mergeNotes.ts';
import { createChangeNotes, type NotableEffects } from './changeNotes.ts';
import { listingNotes } from './listingNotes.ts';
import { findSiteKeys } from './foreignFeatures.ts';
import { type EffectPages, findSiteEffects, viewSite } from './siteEffects.ts';
import {
  mergeSetups,
  mergeAdditions,
  type ChangeAdditions,
  additionsOfFile,
  findNewReferences,
} from './newReferences.ts';
import type { Note } from '../../contract/task.ts';

/** What a commit did, as far as notes report it. */
export interface CommitEffects extends Omit<
  NotableEffects,
  'externalReferences' | 'duplicates' | 'setups' | 'staleDetails'
> {
  /** The tree that the commit was made on. */
  tree: Tree;
  additions: ChangeAdditions;
  /** Loads the caller's request. */
  request: () => Promise<string>;
  /** Whether the change is only tried. Its notes name duplicate links even if the request asks. */
  isTrial?: boolean;
}

/**
 * Makes the notes on a commit's effects, for the person who checks it. The caller may not want
 * these effects: an agent may have obeyed instructions that it read on a page or in a context.
 */
export async function createCommitNotes(
  pages: PageMethods,
  effects: CommitEffects,
): Promise<Note[]> {
  const { tree, additions, request, isTrial = false } = effects;
  const newReferences = await findNewReferences(tree, pages, additions.externalReferences, request);
  const requestedDuplicates =
    additions.duplicates.length === 0 || isTrial
      ? []
      : await pages.areDuplicatesRequested(await request(), additions.duplicates);
  const duplicates = additions.duplicates.filter((_, i) => !requestedDuplicates[i]);
  const notes = createChangeNotes(pages, {
    ...effects,
    ...additions,
    externalReferences: newReferences,
    duplicates,
  });
  // a trial does not derive the sitemaps, which a commit does
  const derived = isTrial ? [...tree.entries.keys()].filter(isDerived) : [];
  const listing = await listingNotes(pages, { ...effects, paths: [...effects.paths, ...derived] });
  return mergeNotes([...notes, ...listing]);
}

/**
 * What an existing commit added to the site, such as external references and duplicate links. The
 * templates of its new pages are no longer known, so an external reference counts only if no file
 * of the site had it before, and duplicate links of new pages are left out.
 */
export async function findCommitAdditions(
  pages: Pick<PageMethods, 'sideEffects' | 'knownKeys'> & EffectPages,
  { before, after, paths }: { before: Tree; after: Tree; paths: string[] },
): Promise<ChangeAdditions> {
  const readSource = async (tree: Tree, path: string) =>
    tree.entries.has(path) ? (await readPageSource(tree, path)).source : '';
  const additions = paths.map(async (path) => {
    const [oldSource, source] = [await readSource(before, path), await readSource(after, path)];
    return additionsOfFile(path, await pages.sideEffects({ path, source }, oldSource));
  });
  const { externalReferences: references, ...otherAdditions } = mergeAdditions(
    await Promise.all(additions),
  );
  const siteEffects = await findSiteEffects(pages, {
    before: viewSite(before),
    after: viewSite(after),
    changed: paths,
  });
  const keysInSite = await findSiteKeys(before, pages, [
    ...new Set(references.flatMap(({ keys }) => keys)),
  ]);
  return {
    externalReferences: references.filter(({ keys }) => !keys.some((key) => keysInSite.has(key))),
    ...otherAdditions,
    setups: mergeSetups([...otherAdditions.setups, ...siteEffects]),
  };
}
