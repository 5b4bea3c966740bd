import type { OpenableSite } from '../../../contract/site.ts';
import { hasErrorCode, onCode } from '../../../errors.ts';
import type { RemoteAccess } from '../../git/remote/remoteAccess.ts';
import { type FormatName, formatAt } from '../../formats/paths.ts';
import { foldersOf } from '../../git/refNames.ts';
import { isLfsPointer, mayBePointer } from '../../git/trees/lfsPointer.ts';
import type { GitRepositories, GitRepository, Tree, TreeEntry } from '../../git/repository.ts';
import { checkSitemap } from '../sitemap/deriveSitemap.ts';
import { isReadablePage, readPageSource } from '../pageSource.ts';
import type { PageMethods } from '../pages.ts';
import {
  type CheckedRepository,
  emptyRepository,
  lfsPointers,
  missingBranchProblem,
  noPagesProblem,
  pushDeniedProblem,
  partlyRead,
  unreadEntries,
  failureReason,
  type RepositoryProblem,
  unreadableProblem,
} from './repositoryProblems.ts';

/** Whether a repository can be used for a site, and what is wrong with it. */
export interface RepositoryCheck {
  ok: boolean;
  readable: boolean;
  pushable: boolean;
  /** The branch that the site would use; null if there is none. */
  branch: string | null;
  /** The repository's branches, at most 200. */
  branches: string[];
  /** How many pages the folder has; null if they could not be counted. */
  pages: number | null;
  /** The format of the first page; null if there are no pages. */
  format: FormatName | null;
  problems: RepositoryProblem[];
  /** What will not fully work on a site of this repository, such as files in Git LFS. */
  warnings: RepositoryProblem[];
}

/** A repository that somebody wants to add. */
export interface CandidateRepository extends CheckedRepository {
  /** Names the clone that the check makes and leaves behind. */
  siteId: string;
  organizationId: string;
  /** The rules of its host. */
  ownHost?: OpenableSite['ownHost'];
  /** Default: the repository's default branch. */
  branch?: string | undefined;
  access: RemoteAccess;
  /** Called with the files of the site's folder, once they are known. */
  onTree?: (tree: Tree) => void;
}

export interface RepositoryCheckDeps {
  repositories: GitRepositories;
  pages: Pick<
    PageMethods,
    'isPage' | 'read' | 'pageUrlPath' | 'proposeUrlRule' | 'readSitemapPaths' | 'sampleEntries'
  >;
}

const MAX_BRANCHES = 200;

/**
 * Fetches a repository and checks its branches, its pages, and whether it takes pushes. Changes
 * nothing in it.
 * @returns all problems with it. Only throws the signal's reason and failures of this service
 */
export async function checkRepository(
  { repositories, pages }: RepositoryCheckDeps,
  candidate: CandidateRepository,
  signal: AbortSignal,
): Promise<RepositoryCheck> {
  const check: RepositoryCheck = {
    ok: false,
    readable: false,
    pushable: false,
    branch: null,
    branches: [],
    pages: null,
    format: null,
    problems: [],
    warnings: [],
  };
  const { access } = candidate;
  const siteOnBranch = (branch: string, root = candidate.root): OpenableSite => ({
    siteId: candidate.siteId,
    organizationId: candidate.organizationId,
    ownHost: candidate.ownHost,
    repository: { url: candidate.url, branch, root },
  });
  /**
   * Runs a part of the check. If it fails because of the remote, adds the problem to `check`.
   * @returns whether it passed
   */
  const runCheck = async (work: () => Promise<void>, problemOf: typeof unreadableProblem) => {
    try {
      await work();
      return true;
    } catch (error) {
      signal.throwIfAborted();
      const isRemoteFailure = hasErrorCode(error, 'GIT_FAILED', 'PUSH_REFUSED', 'LIMIT_EXCEEDED');
      if (!isRemoteFailure || failureReason(error) === 'disk') throw error;
      check.problems.push(problemOf(error, candidate));
      return false;
    }
  };

  const isReachable = await runCheck(async () => {
    const listedBranches = await repositories.listBranches(siteOnBranch('main'), access, signal);
    check.readable = true;
    check.branch = chooseBranch(candidate, listedBranches);
    check.branches = listedBranches.branches.slice(0, MAX_BRANCHES);
    if (listedBranches.branches.length === 0) check.problems.push(emptyRepository);
    else if (check.branch === null)
      check.problems.push(missingBranchProblem(candidate.branch ?? '', listedBranches.branches));
  }, unreadableProblem);
  const { branch } = check;
  if (!isReachable || branch === null) return check;
  let commit: string | undefined;
  const isRead = await runCheck(async () => {
    const repository = repositories.open(siteOnBranch(branch), access);
    commit = await repository.fetchHead(signal);
    const tree = await repository.tree({ commit, retainedBy: null }, signal);
    checkSitemap(tree);
    candidate.onTree?.(tree);
    const [firstPath, ...otherPaths] = findPagePaths(tree, pages);
    check.pages = firstPath === undefined ? 0 : 1 + otherPaths.length;
    check.warnings.push(...(await findUnreadParts(repository, tree, pages)));
    if (firstPath !== undefined) check.format = formatAt(firstPath);
    else {
      const wholeRepository = repositories.open(siteOnBranch(branch, ''), access);
      const allPaths = findPagePaths(
        await wholeRepository.tree({ commit, retainedBy: null }, signal),
        pages,
      );
      check.problems.push(noPagesProblem(candidate, [...new Set(allPaths.map(topFolder))].sort()));
    }
  }, unreadableProblem);
  if (commit !== undefined) {
    const headCommit = commit;
    const tryPush = () => repositories.mayPush(siteOnBranch(branch), access, headCommit, signal);
    check.pushable = await runCheck(tryPush, pushDeniedProblem);
  }
  return { ...check, ok: isRead && check.problems.length === 0 };
}

function chooseBranch(
  { branch }: CandidateRepository,
  { head, branches }: { head: string | null; branches: string[] },
) {
  if (branch !== undefined) return branches.includes(branch) ? branch : null;
  if (head !== null) return head;
  return branches.includes('main') ? 'main' : (branches[0] ?? null);
}

const MOST_SAMPLES = 20;
const texts = new Set(['html', 'htm', 'css', 'js', 'json', 'xml', 'txt', 'svg', 'md', 'yml']);
const isBinary = ({ path }: TreeEntry) =>
  !texts.has(path.slice(path.lastIndexOf('.') + 1).toLowerCase());

/** Warnings on what will not fully work on a site, found in samples of its files. */
export const findUnreadParts = async (
  repository: Pick<GitRepository, 'blob'>,
  tree: Tree,
  pages: Pick<PageMethods, 'isPage' | 'read'>,
): Promise<RepositoryProblem[]> => [
  ...(await pointersIn(repository, tree)),
  ...(await opaqueIn(tree, pages)),
  ...dataFileProblems(tree),
];

/** A warning for each data file whose entries are not all pages. */
const dataFileProblems = ({ entries }: Tree): RepositoryProblem[] =>
  [...entries.values()].flatMap(({ path, problems = [] }) =>
    problems.length === 0 ? [] : [unreadEntries(path, problems)],
  );

/** A warning if pictures or other binary files of a site are only pointers of Git LFS. */
async function pointersIn(
  repository: Pick<GitRepository, 'blob'>,
  { entries }: Tree,
): Promise<RepositoryProblem[]> {
  const isSmall = (entry: TreeEntry) => mayBePointer(entry) && entry.mode.startsWith('100');
  const samples = [...entries.values()].filter(isSmall).filter(isBinary).slice(0, MOST_SAMPLES);
  const pointerPaths = await Promise.all(
    samples.map(async ({ id, path }) => (isLfsPointer(await repository.blob(id)) ? [path] : [])),
  );
  return pointerPaths.flat().length > 0 ? [lfsPointers(pointerPaths.flat())] : [];
}

/**
 * A warning if pages in HTML have front matter, template tags or data, which this service can't
 * change.
 */
async function opaqueIn(
  tree: Tree,
  pages: Pick<PageMethods, 'isPage' | 'read'>,
): Promise<RepositoryProblem[]> {
  const samples = [...tree.entries.values()].filter(
    (entry) => formatAt(entry.path) === 'html' && isReadablePage(pages, entry),
  );
  const partlyReadPaths: string[] = [];
  for (const { path } of samples.slice(0, MOST_SAMPLES)) {
    const isPartly = await readPageSource(tree, path)
      .then((page) => pages.read(page))
      .then(({ opaque }) => opaque.length > 0)
      .catch(onCode(['LIMIT_EXCEEDED', 'PAGE_UNREADABLE'], false));
    if (isPartly) partlyReadPaths.push(path);
  }
  return partlyReadPaths.length > 0 ? [partlyRead(partlyReadPaths)] : [];
}

const findPagePaths = ({ entries }: Tree, pages: Pick<PageMethods, 'isPage'>) =>
  [...entries.keys()].filter((path) => pages.isPage(path));

function topFolder(path: string): string {
  const [folder = path] = foldersOf(path);
  return folder;
}
