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
  message: `Some files are in Git LFS, which this service does not read: ${listNames(paths)}. Previews and the embedded host cannot show them. Commit them without Git LFS.`,
});

export const partlyRead = (paths: string[]): RepositoryProblem => ({
  code: 'partly-read',
  message: `Some pages are no finished HTML: they have front matter, template tags, or structured data that can't be read: ${listNames(paths)}. These stay as they are, byte for byte, also on new pages. The site's pages should be finished files.`,
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
    `The repository let nobody in. ${accessRemedies[credential ?? 'none']}`,
  'not-found': ({ credential }) =>
    `There is no repository at this address. Check its spelling. ${accessRemedies[credential ?? 'none']}`,
  shallow: () =>
    'The repository is a shallow clone, which lacks older commits. Run `git fetch --unshallow` in it, or use the repository that it was cloned from.',
  'host-key': () =>
    "The host shows another ssh key than before. Ask the host's operator whether it changed its key.",
  certificate: () =>
    "The host's certificate is not trusted. Ask the host's operator to renew it, or use ssh.",
  redirect: () =>
    'The repository has moved. Open its address in a browser, and use the one that you end at.',
  unreachable: ({ url }) =>
    `The host ${remoteHostName(url)} does not answer. Check the address, or try again in a minute.`,
  address: ({ url }) =>
    `The host ${remoteHostName(url)} can't be used: only hosts of the public internet can.`,
};

const remoteHostName = (url: string) => parseRemoteHost(url)?.host ?? '';

export function unreadableProblem(
  error: DomainError,
  repository: CheckedRepository,
): RepositoryProblem {
  if (failureReason(error) === 'app')
    return {
      code: 'access-denied',
      message: `The GitHub App can't get into the repository. Check its App ID and its private key, and that it is installed for this repository. (${error.message})`,
    };
  const code =
    failureReason(error) ?? (error.code === 'LIMIT_EXCEEDED' ? 'too-large' : 'unreadable');
  if (code === 'folder')
    return {
      code: 'folder-missing',
      message: `The repository has no folder "${repository.root}". Choose another one.`,
    };
  return {
    code,
    message:
      problemMessages[code]?.(repository) ?? `The repository can't be used: ${error.message}`,
  };
}

export function pushDeniedProblem(
  error: DomainError,
  repository: CheckedRepository,
): RepositoryProblem {
  const reason = failureReason(error);
  if (reason === 'unreachable' || reason === 'address') return unreadableProblem(error, repository);
  const remedy = {
    none: 'Add an access token (https) or a deploy key (ssh) that may write to it.',
    token: 'Check that the token has not expired, and that it may write to this repository.',
    'deploy-key': 'Allow write access for the deploy key in the settings of the repository.',
    'github-app': 'Give the GitHub App read and write access to contents.',
  };
  const message = `The repository can be read, but takes no changes. ${remedy[repository.credential ?? 'none']}`;
  return { code: 'push-denied', message };
}

/**
 * The problem of a folder without pages.
 * @param folders the top folders of the repository that have pages
 */
export function noPagesProblem({ root }: CheckedRepository, folders: string[]): RepositoryProblem {
  const elsewhere = folders.length > 0 ? ` There are some in: ${listNames(folders)}.` : '';
  const location = root === '' ? 'the repository' : `the folder "${root}"`;
  const message = `There are no ${formatLabels} pages in ${location}.${elsewhere} The site's pages must be there as finished ${formatLabels} files.`;
  return { code: 'no-pages', message };
}
