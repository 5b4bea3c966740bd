import type { CredentialKind, OpenableSite } from '../../contract/site.ts';
import { type DomainError, hasCode } from '../../errors.ts';
import { type Access, placeOf } from '../git/access.ts';
import type { GitReason } from '../git/failure.ts';
import { type FormatName, formatAt, formatLabels } from '../formats/paths.ts';
import { foldersOf } from '../git/refNames.ts';
import type { Repositories, Tree } from '../git/repository.ts';
import { checkSitemap } from './deriveSitemap.ts';
import type { Pages } from './pages.ts';

/** What is wrong with a repository: a code for programs, and what a person can do about it. */
export interface RepositoryProblem {
  code: string;
  message: string;
}

/** Whether a repository can be a site's. */
export interface RepositoryCheck {
  ok: boolean;
  readable: boolean;
  pushable: boolean;
  /** The branch that would be used; null where there is none. */
  branch: string | null;
  /** Those of the repository, at most 200 of them. */
  branches: string[];
  /** How many pages are in the folder; null where they could not be counted. */
  pages: number | null;
  /** Of the first page; null where there is none. */
  format: FormatName | null;
  problems: RepositoryProblem[];
}

export interface AskedRepository {
  /** The id under which the check leaves a copy behind. */
  siteId: string;
  organizationId: string;
  url: string;
  /** Default: the one that the repository names as its own. */
  branch?: string | undefined;
  root: string;
  access: Access;
  credential: CredentialKind | null;
}

export interface CheckDeps {
  repositories: Repositories;
  pages: Pick<Pages, 'isPage'>;
}

const MOST_BRANCHES = 200;
const MOST_NAMED = 10;

/**
 * Fetches a repository and looks at it: its branches, its pages, and whether it takes pushes.
 * Nothing is changed there.
 * @returns all that is wrong with it. Throws only the signal's reason and what is this service's
 *   own failure
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
  };
  const { access } = asked;
  const siteOn = (branch: string, root = asked.root): OpenableSite => ({
    siteId: asked.siteId,
    organizationId: asked.organizationId,
    repository: { url: asked.url, branch, root },
  });
  const told = async (
    work: () => Promise<void>,
    problemOf: (error: DomainError) => RepositoryProblem,
  ) => {
    const problem = await problemIn(work, problemOf, signal);
    if (problem) check.problems.push(problem);
    return problem === undefined;
  };

  const looked = await told(
    async () => {
      const found = await repositories.look(siteOn('main'), access, signal);
      check.readable = true;
      check.branch = branchFor(asked, found);
      check.branches = found.branches.slice(0, MOST_BRANCHES);
      if (found.branches.length === 0) check.problems.push(empty);
      else if (check.branch === null)
        check.problems.push(noBranch(asked.branch ?? '', found.branches));
    },
    (error) => unreadable(error, asked),
  );
  const { branch } = check;
  if (!looked || branch === null) return check;
  let commit: string | undefined;
  const isRead = await told(
    async () => {
      const repository = repositories.open(siteOn(branch), access);
      commit = await repository.fetchHead(signal);
      const tree = await repository.tree({ commit, heldBy: null }, signal);
      checkSitemap(tree);
      const [first, ...others] = pathsOf(tree, pages);
      check.pages = first === undefined ? 0 : 1 + others.length;
      if (first !== undefined) check.format = formatAt(first);
      else
        check.problems.push(
          await noPages(repositories, siteOn(branch, ''), { asked, commit, pages }, signal),
        );
    },
    (error) => unreadable(error, asked),
  );
  if (commit !== undefined) {
    const head = commit;
    check.pushable = await told(
      () => repositories.mayPush(siteOn(branch), access, head, signal),
      (error) => notPushable(error, asked),
    );
  }
  return { ...check, ok: isRead && check.problems.length === 0 };
}

async function problemIn(
  work: () => Promise<void>,
  problemOf: (error: DomainError) => RepositoryProblem,
  signal: AbortSignal,
): Promise<RepositoryProblem | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    const isTheirs = hasCode(error, 'GIT_FAILED', 'PUSH_REFUSED', 'LIMIT_EXCEEDED');
    if (!isTheirs || reasonOf(error) === 'disk') throw error;
    return problemOf(error);
  }
}

const reasonOf = ({ details }: DomainError) =>
  details?.['reason'] as GitReason | 'address' | 'folder' | undefined;

function branchFor(
  { branch }: AskedRepository,
  { head, branches }: { head: string | null; branches: string[] },
) {
  if (branch !== undefined) return branches.includes(branch) ? branch : null;
  if (head !== null) return head;
  return branches.includes('main') ? 'main' : (branches[0] ?? null);
}

const named = (names: string[]) =>
  names.slice(0, MOST_NAMED).join(', ') +
  (names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '');

const empty: RepositoryProblem = {
  code: 'empty',
  message: 'The repository is empty. Push a first page to it, then check again.',
};

const noBranch = (branch: string, branches: string[]): RepositoryProblem => ({
  code: 'branch-missing',
  message: `The repository has no branch "${branch}". Choose one of its branches: ${named(branches)}.`,
});

const letIn = {
  none: 'If it is private, add an access token (https) or a deploy key (ssh).',
  token: 'Check that the token has not expired, and that it may read and write this repository.',
  'deploy-key':
    "Add the deploy key's public half to the repository's deploy keys, with write access.",
};

const messages: Record<string, (asked: AskedRepository) => string> = {
  'access-denied': ({ credential }) =>
    `The repository let nobody in. ${letIn[credential ?? 'none']}`,
  'not-found': ({ credential }) =>
    `There is no repository at this address. Check its spelling. ${letIn[credential ?? 'none']}`,
  'host-key': () =>
    "The host shows another ssh key than before. Ask the host's operator whether it changed its key.",
  certificate: () =>
    "The host's certificate is not trusted. Ask the host's operator to renew it, or use ssh.",
  redirect: () =>
    'The repository has moved. Open its address in a browser, and use the one that you end at.',
  unreachable: ({ url }) =>
    `The host ${hostIn(url)} does not answer. Check the address, or try again in a minute.`,
  address: ({ url }) =>
    `The host ${hostIn(url)} can't be used: only hosts of the public internet can.`,
};

const hostIn = (url: string) => placeOf(url)?.host ?? '';

function unreadable(error: DomainError, asked: AskedRepository): RepositoryProblem {
  const code = reasonOf(error) ?? (error.code === 'LIMIT_EXCEEDED' ? 'too-large' : 'unreadable');
  if (code === 'folder')
    return {
      code: 'folder-missing',
      message: `The repository has no folder "${asked.root}". Choose another one.`,
    };
  return {
    code,
    message: messages[code]?.(asked) ?? `The repository can't be used: ${error.message}`,
  };
}

function notPushable(error: DomainError, asked: AskedRepository): RepositoryProblem {
  const reason = reasonOf(error);
  if (reason === 'unreachable' || reason === 'address') return unreadable(error, asked);
  const remedy = {
    none: 'Add an access token (https) or a deploy key (ssh) that may write to it.',
    token: 'Check that the token has not expired, and that it may write to this repository.',
    'deploy-key': 'Allow write access for the deploy key in the settings of the repository.',
  };
  const message = `The repository can be read, but takes no changes. ${remedy[asked.credential ?? 'none']}`;
  return { code: 'push-denied', message };
}

const pathsOf = ({ entries }: Tree, pages: CheckDeps['pages']) =>
  [...entries.keys()].filter((path) => pages.isPage(path));

interface Found {
  asked: AskedRepository;
  commit: string;
  pages: CheckDeps['pages'];
}

/** Names the folders at the top that have pages. */
async function noPages(
  repositories: Repositories,
  whole: OpenableSite,
  { asked, commit, pages }: Found,
  signal: AbortSignal,
): Promise<RepositoryProblem> {
  const tree = await repositories.open(whole, asked.access).tree({ commit, heldBy: null }, signal);
  const folders = new Set(pathsOf(tree, pages).map(topOf));
  const elsewhere = folders.size > 0 ? ` There are some in: ${named([...folders].sort())}.` : '';
  const place = asked.root === '' ? 'the repository' : `the folder "${asked.root}"`;
  const message = `There are no ${formatLabels} pages in ${place}.${elsewhere} The site's pages must be there as finished ${formatLabels} files.`;
  return { code: 'no-pages', message };
}

function topOf(path: string): string {
  const [folder = path] = foldersOf(path);
  return folder;
}
