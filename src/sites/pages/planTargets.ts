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
export function planTargets(names: string, { templatePath, slugs }: Wanted): Target[] {
  const files = readFileNames(names);
  const paths = files.map(({ path }) => path);
  const bySlug = new Map<string, FileName>();
  for (const file of files.filter(({ path }) => pagePaths.handles(path))) {
    const name = foldSlug(pagePaths.slugOf(file.path));
    if (!bySlug.has(name)) bySlug.set(name, file);
  }
  const folders = foldersLike(
    paths,
    slugs.map((slug) => pagePaths.pathOf(slug, templatePath)),
  );
  const targets = slugs.map((slug) => {
    const found = bySlug.get(foldSlug(slug));
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
  refuseClashes(paths, folders, targets);
  return targets;
}

/** The site's folders, by folded name. The values are the spellings in use. */
type Spellings = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The folders that match those above the wanted paths, apart from spelling. Other folders are
 * skipped: the names of all nested folders may be far longer than all paths together.
 */
function foldersLike(paths: string[], wanted: string[]): Spellings {
  const spellings = new Map<string, Set<string>>();
  for (const path of wanted.map(foldSlug))
    for (const name of [...foldersOf(path), path]) spellings.set(name, new Set());
  for (const path of paths) {
    let folded = '';
    for (const folder of foldersOf(path)) {
      folded += foldSlug(folder.slice(Math.max(folder.lastIndexOf('/'), 0)));
      const known = spellings.get(folded);
      if (!known) break;
      known.add(folder);
    }
  }
  return spellings;
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

function refuseClashes(paths: string[], folders: Spellings, targets: Target[]) {
  const files = new Map(paths.map((path) => [foldSlug(path), path]));
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
