import { DomainError } from '../../errors.ts';
import { isProof, PROOF } from '../files/proofs.ts';
import type { FileChange, Tree } from '../git/repository.ts';
import type { PageCheck, PageSource } from '../formats/format.ts';
import type { Pages } from '../pages/pages.ts';
import { checkFiles } from './checkFiles.ts';
import { checkPages } from './checkPages.ts';
import type { Gained } from './newOutsiders.ts';

/** The files that a commit is to write. */
export interface ChangedFiles {
  /** Only files that differ from the base; null content deletes a file. */
  files: FileChange[];
  /** The page or file that a changed file was made from; null for none. */
  before: (path: string) => Promise<PageSource | null>;
  /** Whether the edits set links to other hosts on purpose. */
  newLinks: boolean;
  /** The ids of the template's blocks that a new page was made without, by the page's path. */
  removed?: ReadonlyMap<string, string[]>;
}

/**
 * Checks the files that a commit is to write on top of a tree. One fault fails all.
 * @returns the outsiders and doubled links that the files have and their sources had not
 * @throws DomainError as `checkFiles` and `checkPages` do; CHECK_FAILED for a file that proves who
 *   owns the site
 */
export async function checkChanges(
  pages: Pick<Pages, 'check' | 'checkFile' | 'knownKeys' | 'slugOf' | 'isPage'>,
  tree: Tree,
  { files, before, newLinks, removed }: ChangedFiles,
): Promise<Gained> {
  refuseProofs(files);
  const others = files.filter(({ path }) => !pages.isPage(path));
  const sources = others.map(async ({ path, content }) => ({
    path,
    before: (await before(path))?.source ?? null,
    after: content,
  }));
  const inFiles = await checkFiles(pages, await Promise.all(sources));
  const sitePaths = regularPaths(tree, files);
  const deleted = files.flatMap(({ path, content }) => (content === null ? [path] : []));
  const checks = files.map(async ({ path, content }): Promise<PageCheck[]> => {
    if (content === null || !pages.isPage(path)) return [];
    const source = await before(path);
    return [
      {
        path,
        before: source,
        after: content,
        sitePaths,
        deleted,
        removed: removed?.get(path) ?? [],
        newLinks,
      },
    ];
  });
  const inPages = await checkPages(pages, (await Promise.all(checks)).flat(), tree);
  return { ...inPages, outsiders: [...inPages.outsiders, ...inFiles] };
}

function refuseProofs(files: FileChange[]): void {
  const proof = files.find(({ path }) => isProof(path));
  if (proof)
    throw new DomainError('CHECK_FAILED', `Nothing was committed. ${proof.path}: ${PROOF}`);
}

/** The site's regular files, with the changes. */
function regularPaths({ entries }: Tree, files: FileChange[]): string[] {
  const changed = new Set(files.map(({ path }) => path));
  const paths = files.flatMap(({ path, content }) => (content === null ? [] : [path]));
  for (const { path, mode } of entries.values())
    if (mode.startsWith('100') && !changed.has(path)) paths.push(path);
  return paths;
}
