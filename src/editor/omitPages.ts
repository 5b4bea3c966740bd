import type { Creator } from '../contract/creator.ts';
import type { Site } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import type { FileChange, Tree } from '../sites/git/repository.ts';
import type { PageSource } from '../sites/formats/format.ts';
import type { PageMethods } from '../sites/pages/pages.ts';
import { isRegular, readPageSource } from '../sites/pages/pageSource.ts';
import { isDerived } from '../sites/pages/sitemap/derivedFiles.ts';
import { deriveSitemap, differingPaths } from '../sites/pages/sitemap/deriveSitemap.ts';
import { commitVersion, repeatVersion, type VersionDeps } from './commitVersion.ts';
import {
  type CurrentPageDeps,
  type CurrentResult,
  pathOfSlug,
  readCurrentResult,
} from './currentPage.ts';
import type { EditableTask } from './editableTask.ts';

/** Pages of a result that must not go live. */
export interface OmissionRequest {
  slugs: string[];
  /** The production commit from which the task, or the lowest of its base tasks, began. */
  root: string;
  by: Creator | null;
}

/**
 * Leaves pages out of a result, as a version of it: a new page is gone, with the links to it on the
 * other pages that the task changed, its cards and menu entries, and its entries in sitemaps. A
 * changed page is as it was before. An undo of the version puts them back.
 * @returns the commit of the version; null if the result has none of these pages any more
 * @throws DomainError CONFLICT if the result would not change any page then, or if a page still
 *   links to one of the pages; as `readCurrentResult`; PUSH_REFUSED
 */
export const omitPages = (
  deps: VersionDeps,
  task: EditableTask,
  { slugs, root, by }: OmissionRequest,
): Promise<string | null> =>
  repeatVersion(async () => {
    const current = await readCurrentResult(deps, task);
    const trees = { former: await readFormerTree(task, current, root), tree: current.tree };
    const omitted = findChangedFiles(deps.pages, trees).filter(({ slug }) => slugs.includes(slug));
    if (omitted.length === 0) return { commit: null };
    const changes = await writeOmission(deps.pages, current.site, trees, omitted);
    await refuseEmptyResult(trees, changes);
    const names = omitted.map(({ slug }) => slug);
    const place = names.length === 1 ? names[0]! : `${names.length} pages`;
    const commit = await commitVersion(deps.batches, task, current, {
      changes,
      message: `Leave out ${place}\n\n${names.map((slug) => `- ${slug}`).join('\n')}`,
      slugs: [],
      by,
      version: { kind: 'omission' },
    });
    if (commit === null) return null;
    await readCurrentResult(deps, task);
    return { commit };
  }).then(({ commit }) => commit);

/** Which of these pages a result lacks, because a version left them out. */
export async function findMissingPages(
  deps: CurrentPageDeps,
  task: EditableTask,
  slugs: string[],
  signal?: AbortSignal,
): Promise<string[]> {
  const { sitePaths } = await readCurrentResult(deps, task, signal);
  return slugs.filter((slug) => pathOfSlug(deps.pages, sitePaths, slug) === undefined);
}

/** The site without the result, and with it. */
interface ResultTrees {
  former: Tree;
  tree: Tree;
}

/** The files that publishing the result would change: as production had them at the last merge. */
async function readFormerTree(
  { taskId: retainedBy }: EditableTask,
  { repository, commit }: CurrentResult,
  root: string,
): Promise<Tree> {
  const mergeBase = await repository.fetchMergeBase(root, { commit, retainedBy });
  return repository.tree({ commit: mergeBase === commit ? root : mergeBase, retainedBy });
}

interface ChangedFile {
  path: string;
  slug: string;
  isNew: boolean;
}

const findChangedFiles = (pages: PageMethods, { former, tree }: ResultTrees): ChangedFile[] =>
  differingPaths(former, tree)
    .filter((path) => pages.isPage(path) && isRegular(tree, path))
    .map((path) => ({ path, slug: pages.slugOf(path), isNew: !former.entries.has(path) }));

async function writeOmission(
  pages: PageMethods,
  { ownHost }: Site,
  trees: ResultTrees,
  omitted: ChangedFile[],
): Promise<FileChange[]> {
  const newPages = omitted.filter(({ isNew }) => isNew);
  const omittedPaths = new Set(omitted.map(({ path }) => path));
  const linkingFiles = findChangedFiles(pages, trees).filter(({ path }) => !omittedPaths.has(path));
  const createdAt = new Date().toISOString();
  return [
    ...(await Promise.all(
      omitted.map(async ({ path, isNew }) => ({
        path,
        content: isNew ? null : await trees.former.read(path),
      })),
    )),
    ...(
      await Promise.all(linkingFiles.map((file) => unlinkPages(pages, trees, { file, newPages })))
    ).flat(),
    ...(await deriveSitemap(
      trees.tree,
      { created: [], deleted: newPages },
      { pages, createdAt, ownHost },
    )),
  ];
}

/** Removes the links to pages from a page. Those that it had before the task stay. */
async function unlinkPages(
  pages: PageMethods,
  { former, tree }: ResultTrees,
  { file, newPages }: { file: ChangedFile; newPages: ChangedFile[] },
): Promise<FileChange[]> {
  const { path, slug: ownSlug, isNew } = file;
  const page = await readPageSource(tree, path);
  const formerPage = isNew ? null : await readPageSource(former, path);
  const formerSlugs = formerPage ? await linkedSlugs(pages, formerPage) : new Set();
  let changedPage: PageSource = page;
  for (const { slug } of newPages) {
    if (formerSlugs.has(slug)) continue;
    const removesOwnLinks = !(formerPage?.source.includes('hreflang') ?? false);
    for (const change of [
      { kind: 'remove-links', slug, withBlocks: true },
      { kind: 'remove-alternates', slug, removesOwnLinks },
    ] as const)
      changedPage = { path, ...((await pages.rebuild(changedPage, change)) ?? changedPage) };
    if ((await linkedSlugs(pages, changedPage)).has(slug))
      throw new DomainError(
        'CONFLICT',
        `${slug} can't be left out: ${ownSlug} still links to it. Remove the link by hand first`,
      );
  }
  return changedPage.source === page.source ? [] : [{ path, content: changedPage.source }];
}

const linkedSlugs = async (
  pages: PageMethods,
  page: PageSource,
): Promise<Set<string | undefined>> => new Set((await pages.links(page)).map(({ slug }) => slug));

/** @throws DomainError CONFLICT if nothing is left besides files that follow from the pages */
async function refuseEmptyResult(
  { former, tree }: ResultTrees,
  changes: FileChange[],
): Promise<void> {
  const contents = new Map(changes.map(({ path, content }) => [path, content]));
  for (const path of differingPaths(former, tree)) {
    if (isDerived(path)) continue;
    const content = contents.get(path);
    if (content === undefined) return;
    const formerContent = former.entries.has(path) ? await former.read(path) : null;
    if (content !== formerContent) return;
  }
  throw new DomainError(
    'CONFLICT',
    'All changed pages are left out, so there is nothing to publish',
  );
}
