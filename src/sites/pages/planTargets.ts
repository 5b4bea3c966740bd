import { normalizeText } from '../../contract/normalizeText.ts';
import type { PageFile } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import { foldersOf } from '../git/refNames.ts';
import { pagePaths } from '../formats/paths.ts';
import { type FileName, readFileNames } from './fileNames.ts';
import { foldSlug } from './slug.ts';

/** The file for a requested page. `existing`: whether the file exists already. */
export interface Target extends PageFile {
  existing: boolean;
}

/** The requested pages. */
export interface Wanted {
  templatePath: string;
  /** Normalized slugs. */
  slugs: string[];
}

/**
 * Plans the files for requested pages. An existing page keeps its file. A new page follows the
 * template's naming.
 * @param names the site's files, as `fileNames` returns them
 * @throws PAGE_EXISTS if names differ only in case, a file and a folder would share a name, or the
 *   page is a symbolic link or the template
 */
export function planTargets(names: string, wanted: Wanted): Target[] {
  const { templatePath, slugs } = wanted;
  const { pages, files, folders } = namesLike(readFileNames(names), wanted);
  const targets = slugs.map((slug) => {
    const found = pages.get(foldSlug(slug));
    if (found === undefined)
      return {
        slug,
        path: inSpellingOf(folders, pagePaths.pathOf(slug, templatePath)),
        existing: false,
      };
    const { path, isRegular } = found;
    if (pagePaths.slugOf(path) !== slug || path === templatePath || !isRegular)
      throw clash(slug, path);
    return { slug, path, existing: true };
  });
  refuseClashes(files, folders, targets);
  return targets;
}

/** The site's folders, by folded name. The values are the spellings in use. */
type Spellings = Map<string, Set<string>>;

/** A site's names that match those of wanted pages, apart from spelling, by folded name. */
interface NamesLike {
  /** The first page of each wanted slug. */
  pages: Map<string, FileName>;
  /** Files with the name of a wanted page, of its file, or of a folder above it. */
  files: Map<string, string>;
  /** Folders with the name of a wanted page's file, or of a folder above it. */
  folders: Spellings;
}

/**
 * Searches a site once for the names that matter. Other names are skipped: a site has up to 50,000
 * files, and the names of all nested folders may be far longer than all paths together.
 */
function namesLike(site: FileName[], { templatePath, slugs }: Wanted): NamesLike {
  const paths = slugs.map((slug) => foldSlug(pagePaths.pathOf(slug, templatePath)));
  const folders: Spellings = new Map(
    paths.flatMap((path) => [...foldersOf(path), path]).map((name) => [name, new Set()]),
  );
  const wantedFiles = new Set([...folders.keys(), ...slugs.map((slug) => foldSlug(slug.slice(1)))]);
  const wantedSlugs = new Set(slugs.map(foldSlug));
  const found: NamesLike = { pages: new Map(), files: new Map(), folders };
  let lastFolder = '';
  for (const file of site) {
    const { path } = file;
    const name = foldSlug(path);
    if (wantedFiles.has(name)) found.files.set(name, path);
    const slug = pagePaths.handles(path) ? foldSlug(pagePaths.slugOf(path)) : undefined;
    if (slug !== undefined && wantedSlugs.has(slug) && !found.pages.has(slug))
      found.pages.set(slug, file);
    if (folderOf(path) !== lastFolder) addFolders(folders, path);
    lastFolder = folderOf(path);
  }
  return found;
}

/** Adds the spellings of those folders above a path that have a wanted name. */
function addFolders(folders: Spellings, path: string): void {
  let folded = '';
  for (const folder of foldersOf(path)) {
    folded += foldSlug(folder.slice(Math.max(folder.lastIndexOf('/'), 0)));
    const spellings = folders.get(folded);
    if (!spellings) return;
    spellings.add(folder);
  }
}

/**
 * Rewrites a path in the spelling of its existing folder. The other Unicode form would name another
 * folder.
 */
function inSpellingOf(folders: Spellings, path: string): string {
  const decomposed = normalizeText(path, 'NFD');
  const isThere = (folder: string) => folders.get(foldSlug(folder))?.has(folder) ?? false;
  return !isThere(folderOf(path)) && isThere(folderOf(decomposed)) ? decomposed : path;
}

function refuseClashes(files: NamesLike['files'], folders: Spellings, targets: Target[]) {
  const folded = new Map(
    [...folders].flatMap(([name, spellings]) => [...spellings].map((folder) => [name, folder])),
  );
  for (const { slug, path, existing } of targets) {
    if (existing) continue;
    const inTheWay =
      files.get(foldSlug(slug.slice(1))) ??
      files.get(foldSlug(path)) ??
      folded.get(foldSlug(path)) ??
      wrongFolder(files, folded, path);
    if (inTheWay !== undefined) throw clash(slug, inTheWay);
    files.set(foldSlug(path), path);
    for (const folder of foldersOf(path)) folded.set(foldSlug(folder), folder);
  }
}

/** A file where the path needs a folder, or a folder whose name differs in case. */
function wrongFolder(
  files: Map<string, string>,
  folders: Map<string, string>,
  path: string,
): string | undefined {
  return [...foldersOf(path)]
    .map(
      (folder) => files.get(foldSlug(folder)) ?? differing(folders.get(foldSlug(folder)), folder),
    )
    .find((name) => name !== undefined);
}

const differing = (name: string | undefined, wanted: string) =>
  name === wanted ? undefined : name;
const folderOf = (path: string) => path.slice(0, Math.max(path.lastIndexOf('/'), 0));

const clash = (slug: string, other: string) =>
  new DomainError(
    'PAGE_EXISTS',
    `Page already exists: ${slug} (it shares its name with "${other}" in the site)`,
  );
