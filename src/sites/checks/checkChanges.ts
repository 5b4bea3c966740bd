import { defined } from '../../contract/defined.ts';
import { DomainError } from '../../errors.ts';
import { isProof, PROOF } from '../files/proofs.ts';
import type { FileChange, Tree } from '../git/repository.ts';
import type { PageCheck, PageSource } from '../formats/format.ts';
import type { Pages } from '../pages/pages.ts';
import { checkPages } from './checkPages.ts';
import { isStyleSheet } from './newToSite.ts';
import type { Gained, GainedOutsider } from './newOutsiders.ts';
import type { FileCheck } from './checkOtherFile.ts';
import { NAMED_FAULTS } from './namedFaults.ts';

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
 * Checks the files that a commit is to write on top of a tree. One fault fails all. The error names
 * the faults of pages, of other files and of files that prove who owns the site.
 * @returns the outsiders and doubled links that the files have and their sources had not
 * @throws DomainError as `checkFiles` and `checkPages` do; CHECK_FAILED for a file that proves who
 *   owns the site
 */
export async function checkChanges(
  pages: Pick<Pages, 'check' | 'checkFile' | 'knownKeys' | 'slugOf' | 'isPage'>,
  tree: Tree,
  { files, before, newLinks, removed }: ChangedFiles,
): Promise<Gained> {
  const others = files.filter(({ path }) => !pages.isPage(path));
  const sources = others.map(async ({ path, content }) => ({
    path,
    before: (await before(path))?.source ?? null,
    after: content,
  }));
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
        ...defined({ removed: removed && (removed.get(path) ?? []) }),
        newLinks,
      },
    ];
  });
  const [inPages, inFiles] = await allPassed([
    checkPages(pages, (await Promise.all(checks)).flat(), tree, styleSheetsOf(files)),
    checkFiles(pages, await Promise.all(sources)),
    refuseProofs(files),
  ]);
  return { ...inPages, externalReferences: [...inPages.externalReferences, ...inFiles] };
}

/**
 * Waits for several checks.
 * @throws DomainError CHECK_FAILED with the messages of all that failed; other errors as they are
 */
async function allPassed<Checks extends unknown[]>(checks: {
  [Index in keyof Checks]: Promise<Checks[Index]>;
}): Promise<Checks> {
  const settled = await Promise.allSettled(checks);
  const reasons = settled.flatMap((check): unknown[] =>
    check.status === 'rejected' ? [check.reason] : [],
  );
  const isFailure = (reason: unknown): reason is DomainError =>
    reason instanceof DomainError && reason.code === 'CHECK_FAILED';
  if (reasons.length < 2 || !reasons.every(isFailure)) return Promise.all(checks) as never;
  throw new DomainError('CHECK_FAILED', reasons.map(({ message }) => message).join('. '));
}

function refuseProofs(files: FileChange[]): Promise<void> {
  const proof = files.find(({ path }) => isProof(path));
  if (!proof) return Promise.resolve();
  const says = `Nothing was committed. ${proof.path}: ${PROOF}`;
  return Promise.reject(new DomainError('CHECK_FAILED', says));
}

/** The style sheets that a change writes. */
export const styleSheetsOf = (files: FileChange[]): PageSource[] =>
  files.flatMap(({ path, content }) =>
    content !== null && isStyleSheet(path) ? [{ path, source: content }] : [],
  );

/** The site's regular files, with the changes. */
function regularPaths({ entries }: Tree, files: FileChange[]): string[] {
  const changed = new Set(files.map(({ path }) => path));
  const paths = files.flatMap(({ path, content }) => (content === null ? [] : [path]));
  for (const { path, mode } of entries.values())
    if (mode.startsWith('100') && !changed.has(path)) paths.push(path);
  return paths;
}

/**
 * Checks the changed files of a task that are no pages. One fault fails all, and each file's first
 * fault is named.
 * @returns the outsiders that each file names and its former version did not
 * @throws DomainError CHECK_FAILED naming the file and what an agent may not change in it
 */
export async function checkFiles(
  pages: Pick<Pages, 'checkFile'>,
  changes: FileCheck[],
): Promise<GainedOutsider[]> {
  const gained: GainedOutsider[] = [];
  const faults: string[] = [];
  for (const change of changes)
    try {
      const outsiders = await pages.checkFile(change);
      gained.push(...outsiders.map((outsider) => ({ ...outsider, path: change.path })));
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'INVALID_INPUT') throw error;
      faults.push(error.message);
    }
  if (faults.length === 0) return gained;
  const rest = faults.length - NAMED_FAULTS;
  const list = faults.slice(0, NAMED_FAULTS).join('; ') + (rest > 0 ? `; and ${rest} more` : '');
  throw new DomainError(
    'CHECK_FAILED',
    `The changed files did not pass the checks, so nothing was committed: ${list}`,
  );
}
