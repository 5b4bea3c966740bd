import type { CredentialKind } from '../../../contract/site.ts';
import type { DomainError } from '../../../errors.ts';
import { formatLabels } from '../../formats/paths.ts';
import { parseRemoteHost } from '../../git/remote/remoteAccess.ts';
import type { GitReason } from '../../git/command/gitFailure.ts';

/** A problem with a repository: a code for programs, and a remedy for people. */
export interface RepositoryProblem {
  code: string;
  message: string;
}

/** The values in messages about the checked repository. */
export interface CheckedRepository {
  url: string;
  root: string;
  credential: CredentialKind | null;
}

const MAX_NAMED = 10;

/** Why access to the repository failed, as the error says; undefined if it does not say. */
export const failureReason = ({ details }: DomainError) =>
  details?.['reason'] as GitReason | 'address' | 'app' | 'folder' | undefined;

const listNames = (names: string[]) =>
  names.slice(0, MAX_NAMED).join(', ') +
  (names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '');

export const emptyRepository: RepositoryProblem = {
  code: 'empty',
  message: 'The repository is empty. Push a first page to it, then check again.',
};

export const missingBranchProblem = (branch: string, branches: string[]): RepositoryProblem => ({
  code: 'branch-missing',
  message: `The repository has no branch "${branch}". Choose one of its branches: ${listNames(branches)}.`,
});

export const lfsPointers = (paths: string[]): RepositoryProblem => ({
  code: 'git-lfs',
  message: `Some files are in Git LFS, which this service cannot read: ${listNames(paths)}. Previews and the embedded host do not show them. Commit the files without Git LFS.`,
});

export const partlyRead = (paths: string[]): RepositoryProblem => ({
  code: 'partly-read',
  message: `Some pages are not finished HTML, because they contain front matter, template tags, or structured data that cannot be read: ${listNames(paths)}. The service never changes these parts, and copies them to new pages. Commit finished HTML files instead.`,
});

/** The warning about a data file with entries that are not pages. */
export const unreadEntries = (path: string, reasons: string[]): RepositoryProblem => ({
  code: 'data-file',
  message: `${path}: ${reasons.join(' ')}`,
});

const accessRemedies = {
  none: 'If it is private, add an access token (https) or a deploy key (ssh).',
  token: 'Check that the token has not expired, and that it may read and write this repository.',
  'deploy-key':
    "Add the deploy key's public half to the repository's deploy keys, with write access.",
  'github-app':
    'Check that the GitHub App is installed for this repository, and that its key is valid.',
};

const problemMessages: Record<string, (repository: CheckedRepository) => string> = {
  'access-denied': ({ credential }) =>
    `The repository denied access. ${accessRemedies[credential ?? 'none']}`,
  'not-found': ({ credential }) =>
    `There is no repository at this URL. Check its spelling. ${accessRemedies[credential ?? 'none']}`,
  shallow: () =>
    'The repository is a shallow clone without its older commits. Run `git fetch --unshallow` in it, or use the repository from which it was cloned.',
  'host-key': () =>
    'The host has a different ssh key than before. Ask the operator of the host whether the key was changed.',
  certificate: () =>
    'The certificate of the host is not trusted. Ask the operator of the host to renew it, or use ssh.',
  redirect: () =>
    'The repository has moved. Open its URL in a browser, and use the URL to which the browser is redirected.',
  unreachable: ({ url }) =>
    `The host ${remoteHostName(url)} does not respond. Check the URL, or try again in a minute.`,
  address: ({ url }) =>
    `The host ${remoteHostName(url)} cannot be used, because it is not a host on the public internet.`,
};

const remoteHostName = (url: string) => parseRemoteHost(url)?.host ?? '';

/** The problem of a repository that can't be read. */
export function unreadableProblem(
  error: DomainError,
  repository: CheckedRepository,
): RepositoryProblem {
  if (failureReason(error) === 'app')
    return {
      code: 'access-denied',
      message: `The GitHub App cannot access the repository. Check its App ID and its private key, and that the app is installed for this repository. (${error.message})`,
    };
  const code =
    failureReason(error) ?? (error.code === 'LIMIT_EXCEEDED' ? 'too-large' : 'unreadable');
  if (code === 'folder')
    return {
      code: 'folder-missing',
      message: `The repository has no folder "${repository.root}". Choose another folder.`,
    };
  return {
    code,
    message:
      problemMessages[code]?.(repository) ?? `The repository cannot be used: ${error.message}`,
  };
}

/** The problem of a repository that can be read but does not take pushes. */
export function pushDeniedProblem(
  error: DomainError,
  repository: CheckedRepository,
): RepositoryProblem {
  const reason = failureReason(error);
  if (reason === 'unreachable' || reason === 'address') return unreadableProblem(error, repository);
  const remedy = {
    none: 'Add an access token (https) or a deploy key (ssh) that may write to it.',
    token:
      'Check that the token has not expired, and that it may write to this repository. Some tokens can only read, such as the deploy tokens of GitLab.',
    'deploy-key': 'Allow write access for the deploy key in the settings of the repository.',
    'github-app': 'Grant the GitHub App read and write access to contents.',
  };
  const message = `The service can read the repository, but cannot push to it. ${remedy[repository.credential ?? 'none']}`;
  return { code: 'push-denied', message };
}

/**
 * The problem of a folder without pages.
 * @param folders the top folders of the repository that have pages
 */
export function noPagesProblem({ root }: CheckedRepository, folders: string[]): RepositoryProblem {
  const elsewhere = folders.length > 0 ? ` These folders have pages: ${listNames(folders)}.` : '';
  const location = root === '' ? 'the repository' : `the folder "${root}"`;
  const message = `There are no ${formatLabels} pages in ${location}.${elsewhere} It must contain the pages of the site as finished HTML files, or as files in Markdown (.md, .mdx, .markdown).`;
  return { code: 'no-pages', message };
}
