import type { CredentialKind } from '../../contract/site.ts';
import type { DomainError } from '../../errors.ts';
import { formatLabels } from '../formats/paths.ts';
import { placeOf } from '../git/access.ts';
import type { GitReason } from '../git/failure.ts';

/** A problem with a repository: a code for programs, and a remedy for people. */
export interface RepositoryProblem {
  code: string;
  message: string;
}

/** The values in messages about the checked repository. */
export interface Asked {
  url: string;
  root: string;
  credential: CredentialKind | null;
}

const MOST_NAMED = 10;

export const reasonOf = ({ details }: DomainError) =>
  details?.['reason'] as GitReason | 'address' | 'app' | 'folder' | undefined;

const named = (names: string[]) =>
  names.slice(0, MOST_NAMED).join(', ') +
  (names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '');

export const empty: RepositoryProblem = {
  code: 'empty',
  message: 'The repository is empty. Push a first page to it, then check again.',
};

export const noBranch = (branch: string, branches: string[]): RepositoryProblem => ({
  code: 'branch-missing',
  message: `The repository has no branch "${branch}". Choose one of its branches: ${named(branches)}.`,
});

export const lfsPointers = (paths: string[]): RepositoryProblem => ({
  code: 'git-lfs',
  message: `Some files are in Git LFS, which this service does not read: ${named(paths)}. Previews and the embedded host cannot show them. Commit them without Git LFS.`,
});

export const partlyRead = (paths: string[]): RepositoryProblem => ({
  code: 'partly-read',
  message: `Some pages are no finished HTML: they have front matter, template tags, or structured data that can't be read: ${named(paths)}. These stay as they are, byte for byte, also on new pages. The site's pages should be finished files.`,
});

const letIn = {
  none: 'If it is private, add an access token (https) or a deploy key (ssh).',
  token: 'Check that the token has not expired, and that it may read and write this repository.',
  'deploy-key':
    "Add the deploy key's public half to the repository's deploy keys, with write access.",
  'github-app':
    'Check that the GitHub App is installed for this repository, and that its key is valid.',
};

const messages: Record<string, (asked: Asked) => string> = {
  'access-denied': ({ credential }) =>
    `The repository let nobody in. ${letIn[credential ?? 'none']}`,
  'not-found': ({ credential }) =>
    `There is no repository at this address. Check its spelling. ${letIn[credential ?? 'none']}`,
  shallow: () =>
    'The repository is a shallow clone, which lacks older commits. Run `git fetch --unshallow` in it, or use the repository that it was cloned from.',
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

export function unreadable(error: DomainError, asked: Asked): RepositoryProblem {
  if (reasonOf(error) === 'app')
    return {
      code: 'access-denied',
      message: `The GitHub App can't get into the repository. Check its App ID and its private key, and that it is installed for this repository. (${error.message})`,
    };
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

export function notPushable(error: DomainError, asked: Asked): RepositoryProblem {
  const reason = reasonOf(error);
  if (reason === 'unreachable' || reason === 'address') return unreadable(error, asked);
  const remedy = {
    none: 'Add an access token (https) or a deploy key (ssh) that may write to it.',
    token: 'Check that the token has not expired, and that it may write to this repository.',
    'deploy-key': 'Allow write access for the deploy key in the settings of the repository.',
    'github-app': 'Give the GitHub App read and write access to contents.',
  };
  const message = `The repository can be read, but takes no changes. ${remedy[asked.credential ?? 'none']}`;
  return { code: 'push-denied', message };
}

/**
 * The problem of a folder without pages.
 * @param folders the top folders of the repository that have pages
 */
export function noPages({ root }: Asked, folders: string[]): RepositoryProblem {
  const elsewhere = folders.length > 0 ? ` There are some in: ${named(folders)}.` : '';
  const place = root === '' ? 'the repository' : `the folder "${root}"`;
  const message = `There are no ${formatLabels} pages in ${place}.${elsewhere} The site's pages must be there as finished ${formatLabels} files.`;
  return { code: 'no-pages', message };
}
