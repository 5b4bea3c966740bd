import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { DomainError } from '../../errors.ts';
import { isProofFile, PROOF_FILE_REASON } from '../files/proofFiles.ts';
import type { FileChange, Tree } from '../git/repository.ts';
import type { PageCheck, PageSource } from '../formats/format.ts';
import type { PageMethods } from '../pages/pages.ts';
import { checkPages } from './checkPages.ts';
import { isStyleSheet } from './foreignFeatures.ts';
import { mergeSetups, type ChangeAdditions, type AddedReference } from './newReferences.ts';
import type { FileCheck } from './checkOtherFile.ts';
import { checkFailedError } from './namedViolations.ts';
import { type EffectPages, findSiteEffects, viewSite } from './siteEffects.ts';

/*
 * Checks what a task is about to commit. The checks compare each changed file with the version or
 * template that it was made from. A violation, such as a new script or a broken link, fails the
 * task, and nothing is committed. An addition, such as a link to a new host, becomes a note.
 *
 *   await checkChanges(pages, tree, { files, before, mayAddLinks: false });
 *   // throws CHECK_FAILED: "/about, line 12, <a>: … (expected: …)", or returns the additions
 *
 * - `checkPages.ts` and `checkOtherFile.ts`: the checks of pages and of other files
 * - `foreignFeatures.ts`, `knownKeys.ts`: what a page got that no other file of the site has
 * - `externalReferences.ts`, `linkContacts.ts`, `namesInText.ts`: hosts, e-mail addresses and
 *   telephone numbers in URLs, data and texts
 * - `siteEffects.ts`: what styles hide now, and ids that other files need and that are gone
 * - `newReferences.ts`, `commitNotes.ts`, `changeNotes.ts`, `listingNotes.ts`: from additions and
 *   other effects to notes
 */

/** The files that a commit is to write. */
export interface ChangedFiles {
  /** Only files that differ from the base; null content deletes a file. */
  files: FileChange[];
  /** The page or file that a changed file was made from; null for none. */
  before: (path: string) => Promise<PageSource | null>;
  /** Whether the edits set links to other hosts on purpose. */
  mayAddLinks: boolean;
  /** The ids of the template's blocks that a new page was made without, by the page's path. */
  removed?: ReadonlyMap<string, string[]>;
}

/**
 * Checks the files that a commit is to write. One violation fails all of them.
 * @param tree the site before the commit
 * @returns what the files have and their former versions had not, such as external references
 * @throws DomainError CHECK_FAILED with the violations of pages, of other files and of files that
 *   prove who owns the site; LIMIT_EXCEEDED for pages that became too large
 */
export async function checkChanges(
  pages: Pick<PageMethods, 'check' | 'checkFile' | 'knownKeys'> & EffectPages,
  tree: Tree,
  { files, before, mayAddLinks, removed }: ChangedFiles,
): Promise<ChangeAdditions> {
  const otherFiles = files.filter(({ path }) => !pages.isPage(path));
  const sources = otherFiles.map(async ({ path, content }) => ({
    path,
    before: (await before(path))?.source ?? null,
    after: content,
  }));
  const sitePaths = listRegularPaths(tree, files);
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
        ...withoutUndefined({ removed: removed && (removed.get(path) ?? []) }),
        mayAddLinks,
      },
    ];
  });
  const [pageAdditions, fileReferences] = await awaitChecks([
    checkPages(pages, (await Promise.all(checks)).flat(), tree, styleSheetsOf(files)),
    checkFiles(pages, await Promise.all(sources)),
    refuseProofs(files),
  ]);
  const siteEffects = removed
    ? []
    : await findSiteEffects(pages, {
        before: viewSite(tree),
        after: viewSite(tree, files),
        changed: files.map(({ path }) => path),
        pageBefore: before,
      });
  return {
    ...pageAdditions,
    setups: mergeSetups([...pageAdditions.setups, ...siteEffects]),
    externalReferences: [...pageAdditions.externalReferences, ...fileReferences],
  };
}

/**
 * Waits for several checks.
 * @throws DomainError CHECK_FAILED with the messages of all that failed; other errors as they are
 */
async function awaitChecks<Checks extends unknown[]>(checks: {
  [Index in keyof Checks]: Promise<Checks[Index]>;
}): Promise<Checks> {
  const outcomes = await Promise.allSettled(checks);
  const reasons = outcomes.flatMap((check): unknown[] =>
    check.status === 'rejected' ? [check.reason] : [],
  );
  const isCheckFailure = (reason: unknown): reason is DomainError =>
    reason instanceof DomainError && reason.code === 'CHECK_FAILED';
  if (reasons.length < 2 || !reasons.every(isCheckFailure)) return Promise.all(checks) as never;
  throw new DomainError('CHECK_FAILED', reasons.map(({ message }) => message).join('. '));
}

function refuseProofs(files: FileChange[]): Promise<void> {
  const proof = files.find(({ path }) => isProofFile(path));
  if (!proof) return Promise.resolve();
  const message = `Nothing was committed. ${proof.path}: ${PROOF_FILE_REASON}`;
  return Promise.reject(new DomainError('CHECK_FAILED', message));
}

/** The style sheets that a change writes. */
export const styleSheetsOf = (files: FileChange[]): PageSource[] =>
  files.flatMap(({ path, content }) =>
    content !== null && isStyleSheet(path) ? [{ path, source: content }] : [],
  );

/** The site's regular files, with the changes. */
function listRegularPaths({ entries }: Tree, files: FileChange[]): string[] {
  const changedPaths = new Set(files.map(({ path }) => path));
  const paths = files.flatMap(({ path, content }) => (content === null ? [] : [path]));
  for (const { path, mode } of entries.values())
    if (mode.startsWith('100') && !changedPaths.has(path)) paths.push(path);
  return paths;
}

/**
 * Checks the changed files of a task that are not pages. One violation fails all of them.
 * @returns the external references that each file names and its former version did not
 * @throws DomainError CHECK_FAILED with the first violation of each file
 */
export async function checkFiles(
  pages: Pick<PageMethods, 'checkFile'>,
  changes: FileCheck[],
): Promise<AddedReference[]> {
  const additions: AddedReference[] = [];
  const problems: string[] = [];
  for (const change of changes)
    try {
      const references = await pages.checkFile(change);
      additions.push(...references.map((reference) => ({ ...reference, path: change.path })));
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'INVALID_INPUT') throw error;
      problems.push(error.message);
    }
  if (problems.length > 0) throw checkFailedError('files', problems);
  return additions;
}
