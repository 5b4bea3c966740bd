import { nullIfFinal } from '../../errors.ts';
import type { PageSource } from '../formats/format.ts';
import { lostPartNames } from '../formats/lostPartNames.ts';
import type { FileChange, Tree } from '../git/repository.ts';
import { isRegular, readPageSource } from '../pages/pageSource.ts';
import type { PageMethods } from '../pages/pages.ts';
import { isStyleSheet } from './foreignFeatures.ts';
import type { PageSetupChange } from './newReferences.ts';

/** The files of a site at some time. */
export interface SiteFilesView {
  /** The paths of its regular files. */
  paths: string[];
  /** A file's text; null for a file that is missing or too large to be read. */
  read: (path: string) => Promise<string | null>;
}

/** The calls that `findSiteEffects` makes. */
export type EffectPages = Pick<
  PageMethods,
  'isPage' | 'slugOf' | 'files' | 'links' | 'anchors' | 'findHiddenParts' | 'findNamedIds'
>;

/** The regular files of a site, with the files that a change writes in their place. */
export function viewSite(tree: Tree, changes: FileChange[] = []): SiteFilesView {
  const contents = new Map(changes.map(({ path, content }) => [path, content]));
  const keptPaths = [...tree.entries.keys()].filter(
    (path) => !contents.has(path) && isRegular(tree, path),
  );
  const isHere = (path: string) => tree.entries.has(path) && isRegular(tree, path);
  return {
    paths: [...keptPaths, ...contents.keys()].sort(),
    read: async (path) => {
      const content = contents.get(path);
      if (content !== undefined || !isHere(path)) return content ?? null;
      const page = await readPageSource(tree, path).catch(nullIfFinal);
      return page?.source ?? null;
    },
  };
}

interface ComparedSites {
  before: SiteFilesView;
  after: SiteFilesView;
  /** The paths of the files that differ. */
  changed: string[];
  /** The page that a page was made from; by default, the one that had its path. */
  pageBefore?: (path: string) => Promise<PageSource | null>;
}

/** Most pages of which the styles or links are looked at, since each takes time. */
const MAX_READ_PAGES = 200;
const MAX_SHEETS = 10;
/** Most lost ids of a page whose users are looked for. */
const MAX_LOST_IDS = 50;

/**
 * Finds what a change does to pages by way of other files of the site: pages whose text styles hide
 * now, and ids that another page links to, or that a script of the site needs, and that are gone.
 */
export async function findSiteEffects(
  pages: EffectPages,
  sites: ComparedSites,
): Promise<PageSetupChange[]> {
  const { before, after, changed } = sites;
  const readBefore = async (path: string) => {
    const source = await before.read(path);
    return source === null ? null : { path, source };
  };
  const { pageBefore = readBefore } = sites;
  const changedPages = changed.filter((path) => pages.isPage(path)).slice(0, MAX_READ_PAGES);
  const styledPages = changed.some(isStyleSheet)
    ? [...new Set([...changedPages, ...after.paths.filter((path) => pages.isPage(path))])]
    : changedPages;
  const effects = await Promise.all(
    styledPages.slice(0, MAX_READ_PAGES).map(async (path) => {
      const [old, source] = await Promise.all([
        pageBefore(path).catch(nullIfFinal),
        after.read(path),
      ]);
      if (old === null || source === null) return [];
      const versions = { old, page: { path, source } };
      const hidden = await findHidden(pages, sites, versions).catch(nullIfFinal);
      const isEdited = old.path === path && old.source !== source;
      const lostIds = isEdited ? await findLostIds(pages, sites, versions) : [];
      const removed = [...(hidden ?? []), ...lostIds];
      return removed.length === 0 ? [] : [{ path, removed, isUnlisted: false }];
    }),
  );
  return effects.flat();
}

interface PageVersions {
  old: PageSource;
  page: PageSource;
}

async function findHidden(
  pages: EffectPages,
  { before, after, changed }: ComparedSites,
  { old, page }: PageVersions,
): Promise<string[]> {
  const withSheets = async (view: SiteFilesView, version: PageSource) => {
    const files = await pages.files(version);
    const sheetPaths = files.filter(isStyleSheet).slice(0, MAX_SHEETS);
    const sheets = await Promise.all(sheetPaths.map((file) => view.read(file)));
    return {
      styled: { ...version, sheets: sheets.filter((css) => css !== null) },
      hasChangedSheet: sheetPaths.some((file) => changed.includes(file)),
    };
  };
  const { styled, hasChangedSheet } = await withSheets(after, page);
  if (old.source === page.source && !hasChangedSheet) return [];
  return pages.findHiddenParts(styled, (await withSheets(before, old)).styled);
}

/** Ids that a change removed from a page, and that another file, which stays the same, needs. */
async function findLostIds(
  pages: EffectPages,
  sites: ComparedSites,
  { old, page }: PageVersions,
): Promise<string[]> {
  const oldIds = await pages.anchors(old).catch(nullIfFinal);
  const newIds = new Set((await pages.anchors(page).catch(nullIfFinal)) ?? []);
  const lostIds = (oldIds ?? []).filter((id) => id !== '' && !newIds.has(id));
  const usedIds = await findUsedIds(pages, sites, page, lostIds.slice(0, MAX_LOST_IDS));
  return [...usedIds.values()];
}

/** The ids of a page that other pages link to or scripts need, in words, by id. */
async function findUsedIds(
  pages: EffectPages,
  { after, changed }: ComparedSites,
  page: PageSource,
  ids: string[],
): Promise<Map<string, string>> {
  const usedIds = new Map<string, string>();
  const readNamedIds = async (path: string) => {
    const openIds = ids.filter((id) => !usedIds.has(id));
    const source = openIds.length === 0 ? null : await after.read(path);
    if (source === null) return { source: '', namedIds: [] };
    return { source, namedIds: await pages.findNamedIds({ path, source }, openIds) };
  };
  const scripts = (await pages.files(page)).filter(
    (path) => path.endsWith('.js') && !changed.includes(path),
  );
  for (const path of scripts)
    for (const id of (await readNamedIds(path)).namedIds)
      usedIds.set(id, lostPartNames.neededId(id, path));
  const slug = pages.slugOf(page.path);
  const otherPages = after.paths.filter((path) => pages.isPage(path) && !changed.includes(path));
  for (const path of otherPages.slice(0, MAX_READ_PAGES)) {
    const { source, namedIds } = await readNamedIds(path);
    if (namedIds.length === 0) continue;
    const links = (await pages.links({ path, source }).catch(nullIfFinal)) ?? [];
    for (const id of namedIds)
      if (links.some((link) => link.slug === slug && link.href.endsWith(`#${id}`)))
        usedIds.set(id, lostPartNames.linkedId(id, pages.slugOf(path)));
  }
  return usedIds;
}
