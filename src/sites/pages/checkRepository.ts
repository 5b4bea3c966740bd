import type { OpenableSite } from '../../contract/site.ts';
import { hasCode, onCode } from '../../errors.ts';
import type { Access } from '../git/access.ts';
import { type FormatName, formatAt } from '../formats/paths.ts';
import { foldersOf } from '../git/refNames.ts';
import { isLfsPointer, mayBePointer } from '../git/lfsPointer.ts';
import type { Repositories, Repository, Tree, TreeEntry } from '../git/repository.ts';
import { checkSitemap } from './deriveSitemap.ts';
import { isReadablePage, readPageSource } from './pageSource.ts';
import type { Pages } from './pages.ts';
import {
  type Asked,
  empty,
  lfsPointers,
  noBranch,
  noPages,
  notPushable,
  partlyRead,
  reasonOf,
  type RepositoryProblem,
  unreadable,
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
  /** What works only in part on a site of this repository. */
  warnings: RepositoryProblem[];
}

export interface AskedRepository extends Asked {
  /** The id of the copy that the check leaves behind. */
  siteId: string;
  organizationId: string;
  /** Default: the repository's default branch. */
  branch?: string | undefined;
  access: Access;
}

export interface CheckDeps {
  repositories: Repositories;
  pages: Pick<Pages, 'isPage' | 'read'>;
}

const MOST_BRANCHES = 200;

/**
 * Fetches a repository and checks its branches, its pages, and whether it takes pushes. Changes
 * nothing in it.
 * @returns all problems with it. Only throws the signal's reason and failures of this service
 */
export async function checkRepository(
  { repositories, pages }: CheckDeps,
  asked: AskedRepository,
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
  const { access } = asked;
  const siteOn = (branch: string, root = asked.root): OpenableSite => ({
    siteId: asked.siteId,
    organizationId: asked.organizationId,
    repository: { url: asked.url, branch, root },
  });
  /**
   * Runs a part of the check. If it fails, adds its problem to `check`. @returns whether it passed
   */
  const passes = async (work: () => Promise<void>, problemOf: typeof unreadable) => {
    try {
      await work();
      return true;
    } catch (error) {
      signal.throwIfAborted();
      const isTheirs = hasCode(error, 'GIT_FAILED', 'PUSH_REFUSED', 'LIMIT_EXCEEDED');
      if (!isTheirs || reasonOf(error) === 'disk') throw error;
      check.problems.push(problemOf(error, asked));
      return false;
    }
  };

  const looked = await passes(async () => {
    const found = await repositories.look(siteOn('main'), access, signal);
    check.readable = true;
    check.branch = branchFor(asked, found);
    check.branches = found.branches.slice(0, MOST_BRANCHES);
    if (found.branches.length === 0) check.problems.push(empty);
    else if (check.branch === null)
      check.problems.push(noBranch(asked.branch ?? '', found.branches));
  }, unreadable);
  const { branch } = check;
  if (!looked || branch === null) return check;
  let commit: string | undefined;
  const isRead = await passes(async () => {
    const repository = repositories.open(siteOn(branch), access);
    commit = await repository.fetchHead(signal);
    const tree = await repository.tree({ commit, heldBy: null }, signal);
    checkSitemap(tree);
    check.warnings.push(...(await pointersIn(repository, tree)));
    const [first, ...others] = pathsOf(tree, pages);
    check.pages = first === undefined ? 0 : 1 + others.length;
    check.warnings.push(...(await opaqueIn(tree, pages)));
    if (first !== undefined) check.format = formatAt(first);
    else {
      const whole = repositories.open(siteOn(branch, ''), access);
      const all = pathsOf(await whole.tree({ commit, heldBy: null }, signal), pages);
      check.problems.push(noPages(asked, [...new Set(all.map(topOf))].sort()));
    }
  }, unreadable);
  if (commit !== undefined) {
    const head = commit;
    const mayPush = () => repositories.mayPush(siteOn(branch), access, head, signal);
    check.pushable = await passes(mayPush, notPushable);
  }
  return { ...check, ok: isRead && check.problems.length === 0 };
}

function branchFor(
  { branch }: AskedRepository,
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

/** Whether pictures and other files of a site are only pointers of Git LFS. */
async function pointersIn(repository: Repository, { entries }: Tree): Promise<RepositoryProblem[]> {
  const isSmall = (entry: TreeEntry) => mayBePointer(entry) && entry.mode.startsWith('100');
  const samples = [...entries.values()].filter(isSmall).filter(isBinary).slice(0, MOST_SAMPLES);
  const found = await Promise.all(
    samples.map(async ({ id, path }) => (isLfsPointer(await repository.blob(id)) ? [path] : [])),
  );
  return found.flat().length > 0 ? [lfsPointers(found.flat())] : [];
}

/** Whether pages of a site have front matter, template tags or data that no change reaches. */
async function opaqueIn(tree: Tree, pages: CheckDeps['pages']): Promise<RepositoryProblem[]> {
  const samples = [...tree.entries.values()].filter((entry) => isReadablePage(pages, entry));
  const found: string[] = [];
  for (const { path } of samples.slice(0, MOST_SAMPLES)) {
    const isPartly = await readPageSource(tree, path)
      .then((page) => pages.read(page))
      .then(({ opaque }) => opaque.length > 0)
      .catch(onCode(['LIMIT_EXCEEDED', 'PAGE_UNREADABLE'], false));
    if (isPartly) found.push(path);
  }
  return found.length > 0 ? [partlyRead(found)] : [];
}

const pathsOf = ({ entries }: Tree, pages: CheckDeps['pages']) =>
  [...entries.keys()].filter((path) => pages.isPage(path));

function topOf(path: string): string {
  const [folder = path] = foldersOf(path);
  return folder;
}
