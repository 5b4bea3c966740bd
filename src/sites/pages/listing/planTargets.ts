import { normalizeText } from '../../../contract/normalizeText.ts';
import type { PageFile } from '../../../contract/site.ts';
import { foldersOf } from '../../git/refNames.ts';
import { pagePaths } from '../../formats/paths.ts';
import { type SiteFileName, unpackFileNames } from './fileNames.ts';
import { pageExistsError } from './pageExists.ts';
import { foldSlug } from '../urls/slug.ts';

/** The file for a requested page. `existing`: whether the file exists already. */
export interface PageTarget extends PageFile {
  existing: boolean;
}

/** The requested pages. */
export interface RequestedPages {
  templatePath: string;
  /** Normalized slugs. */
  slugs: string[];
}

/**
 * Plans the files for requested pages. An existing page keeps its file. A new page gets a file
 * named like the template's: with the template `locations/austin.html`, `/locations/lisbon` →
 * `locations/lisbon.html`.
 * @param names the site's files, as `packFileNames` returns them
 * @throws DomainError PAGE_EXISTS if names differ only in case, a file and a folder would share a
 *   name, or the page is a symbolic link or the template
 */
export function planTargets(names: string, requested: RequestedPages): PageTarget[] {
  const { templatePath, slugs } = requested;
  const { pages, files, folders } = findSimilarNames(unpackFileNames(names), requested);
  const targets = slugs.map((slug) => {
    const existingPage = pages.get(foldSlug(slug));
    if (existingPage === undefined)
      return {
        slug,
        path: useExistingSpelling(folders, pagePaths.pathOf(slug, templatePath)),
        existing: false,
      };
    const { path, isRegular } = existingPage;
    if (pagePaths.slugOf(path) !== slug || path === templatePath || !isRegular)
      throw pageExistsError(slug, path);
    return { slug, path, existing: true };
  });
  refuseNameClashes(files, folders, targets);
  return targets;
}

/**
 * The site's folders, by folded name (see `foldSlug`: without differences of case). The values are
 * the spellings in use.
 */
type FolderSpellings = Map<string, Set<string>>;

/** A site's names that match those of wanted pages, apart from spelling, by folded name. */
interface SimilarNames {
  /** The first page of each wanted slug. */
  pages: Map<string, SiteFileName>;
  /** Files with the name of a wanted page, of its file, or of a folder above it. */
  files: Map<string, string>;
  /** Folders with the name of a wanted page's file, or of a folder above it. */
  folders: FolderSpellings;
}

/**
 * Searches a site once for the names that matter. Other names are skipped: a site has up to 50,000
 * files, and the names of all nested folders may be far longer than all paths together.
 */
function findSimilarNames(
  site: SiteFileName[],
  { templatePath, slugs }: RequestedPages,
): SimilarNames {
  const paths = slugs.map((slug) => foldSlug(pagePaths.pathOf(slug, templatePath)));
  const folders: FolderSpellings = new Map(
    paths.flatMap((path) => [...foldersOf(path), path]).map((name) => [name, new Set()]),
  );
  const wantedFiles = new Set([...folders.keys(), ...slugs.map((slug) => foldSlug(slug.slice(1)))]);
  const wantedSlugs = new Set(slugs.map(foldSlug));
  const similarNames: SimilarNames = { pages: new Map(), files: new Map(), folders };
  let lastFolder = '';
  for (const file of site) {
    const { path } = file;
    const name = foldSlug(path);
    if (wantedFiles.has(name)) similarNames.files.set(name, path);
    const slug = pagePaths.handles(path) ? foldSlug(pagePaths.slugOf(path)) : undefined;
    if (slug !== undefined && wantedSlugs.has(slug) && !similarNames.pages.has(slug))
      similarNames.pages.set(slug, file);
    if (parentFolder(path) !== lastFolder) addSpellings(folders, path);
    lastFolder = parentFolder(path);
  }
  return similarNames;
}

/** Adds the spellings of those folders above a path that have a wanted name. */
function addSpellings(folders: FolderSpellings, path: string): void {
  let foldedPath = '';
  for (const folder of foldersOf(path)) {
    foldedPath += foldSlug(folder.slice(Math.max(folder.lastIndexOf('/'), 0)));
    const spellings = folders.get(foldedPath);
    if (!spellings) return;
    spellings.add(folder);
  }
}

/**
 * Rewrites a path in the spelling of its existing folder. The other Unicode form would name another
 * folder.
 */
function useExistingSpelling(folders: FolderSpellings, path: string): string {
  const decomposed = normalizeText(path, 'NFD');
  const isExisting = (folder: string) => folders.get(foldSlug(folder))?.has(folder) ?? false;
  return !isExisting(parentFolder(path)) && isExisting(parentFolder(decomposed))
    ? decomposed
    : path;
}

function refuseNameClashes(
  files: SimilarNames['files'],
  folders: FolderSpellings,
  targets: PageTarget[],
) {
  const foldedFolders = new Map(
    [...folders].flatMap(([name, spellings]) => [...spellings].map((folder) => [name, folder])),
  );
  for (const { slug, path, existing } of targets) {
    if (existing) continue;
    const conflictingName =
      files.get(foldSlug(slug.slice(1))) ??
      files.get(foldSlug(path)) ??
      foldedFolders.get(foldSlug(path)) ??
      findWrongFolder(files, foldedFolders, path);
    if (conflictingName !== undefined) throw pageExistsError(slug, conflictingName);
    files.set(foldSlug(path), path);
    for (const folder of foldersOf(path)) foldedFolders.set(foldSlug(folder), folder);
  }
}

/** A file where the path needs a folder, or a folder whose name differs in case. */
function findWrongFolder(
  files: Map<string, string>,
  folders: Map<string, string>,
  path: string,
): string | undefined {
  return [...foldersOf(path)]
    .map(
      (folder) =>
        files.get(foldSlug(folder)) ?? differingName(folders.get(foldSlug(folder)), folder),
    )
    .find((name) => name !== undefined);
}

const differingName = (name: string | undefined, expectedName: string) =>
  name === expectedName ? undefined : name;
const parentFolder = (path: string) => path.slice(0, Math.max(path.lastIndexOf('/'), 0));
