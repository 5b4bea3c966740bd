import { DomainError } from '../../../errors.ts';
import { DISK_PROBLEM } from '../clones/looseObject.ts';
import type { GitResult } from './git.ts';

/*
 * Explains failures of git. `fatal: repository 'https://x/y' not found` becomes a GIT_FAILED error
 * with the message "Fetching from x/y failed: repository not found" and the reason `not-found`.
 */

/** What is wrong with a remote, as a code for programs. */
export type GitReason =
  | 'access-denied'
  | 'certificate'
  | 'damaged'
  | 'disk'
  | 'host-key'
  | 'not-allowed'
  | 'not-found'
  | 'redirect'
  | 'shallow'
  | 'unreachable';

interface FailureMeaning {
  pattern: RegExp;
  description: string | ((match: RegExpExecArray) => string);
  reason: GitReason;
}

export const UNREACHABLE_PROBLEM = 'the remote cannot be reached';

/** Failures that a retry may solve. */
const retryableReasons: GitReason[] = ['disk', 'unreachable'];

/**
 * Meanings of messages from git 2.32 to 2.5x, curl and OpenSSH (under LC_ALL=C). The first matching
 * pattern counts.
 */
const failureMeanings: FailureMeaning[] = [
  {
    // git's check of objects reports: `<id of the object>: <id of the finding>: <words>`
    pattern: /^error: object ([0-9a-f]{40,64}): ([A-Za-z0-9]{1,60}): /m,
    description: ([, object, finding]) => `the git object ${object} has the error ${finding}`,
    reason: 'damaged',
  },
  {
    pattern: /^(fatal|error): attempting to allocate \d+ over limit/m,
    description:
      'the repository needs too much memory, because it has too many objects or a very large one that is not a plain file',
    reason: 'damaged',
  },
  {
    pattern: /died of signal (4|6|7|8|10|11)\b/,
    description:
      'git crashed on the contents of the repository, for example because its folders are nested too deeply',
    reason: 'damaged',
  },
  {
    pattern:
      /possible repository corruption|did not send all necessary objects|exceeded maximum allowed tree depth|^fatal: (fsck error|pack has bad object|corrupt|malformed|too-short tree|empty filename in tree|bad tree)/m,
    description: 'the repository is damaged: run `git fsck` in it',
    reason: 'damaged',
  },
  {
    pattern: /^error: invalid path '([^\n']{1,200})/m,
    description: ([, path]) =>
      `the repository contains a name that git does not allow: ${sanitizeMessage(path ?? '')}`,
    reason: 'damaged',
  },
  {
    pattern: /shallow roots are not allowed/,
    description: 'the repository is a shallow clone: run `git fetch --unshallow` in it',
    reason: 'shallow',
  },
  {
    pattern: /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    description:
      'the ssh key of the host has changed since the repository was added. If the change is expected, save the repository again',
    reason: 'host-key',
  },
  {
    pattern: /Host key verification failed/,
    description: 'the ssh key of the host is unknown',
    reason: 'host-key',
  },
  {
    pattern:
      /Authentication failed|could not read (Username|Password)|terminal prompts disabled|Permission( to \S+)? denied|returned error: 40[13]|Access denied/i,
    description: 'access denied',
    reason: 'access-denied',
  },
  {
    pattern: /returned error: 30\d|redirect/i,
    description: 'the URL of the repository redirects: use the URL that it redirects to',
    reason: 'redirect',
  },
  {
    pattern:
      /repository\b(?:(?!repository\b)[^\n])* not found|not found in upstream|does not appear to be a git repository|does not exist|returned error: 4(04|10)|project you were looking for could not be found/i,
    description: 'repository not found',
    reason: 'not-found',
  },
  {
    pattern: /transport '[^']*' not allowed|unsafe repository|dubious ownership/,
    description: 'this kind of repository is not allowed',
    reason: 'not-allowed',
  },
  {
    pattern: /mismatched (object format|algorithms)|unsupported object format/,
    description: 'repositories of this object format are not supported',
    reason: 'not-allowed',
  },
  {
    pattern: /SSL certificate|certificate verif|certificate subject/i,
    description: 'the certificate of the host is not trusted',
    reason: 'certificate',
  },
  {
    pattern:
      /No space left|File too large|Disk quota|Unable to create '[^']*\.lock'|cannot lock ref|unable to (create|write)|cannot fork|out of memory/i,
    description: DISK_PROBLEM,
    reason: 'disk',
  },
  {
    pattern:
      /Could not resolve|Failed to connect|Couldn't connect|Connection (refused|timed out|reset|closed)|timed out|returned error: (429|5\d\d)|early EOF|hung up|unexpected disconnect|RPC failed|Network is unreachable|No route to host|unable to access|Could not read from remote|transfer closed|too slow/i,
    description: UNREACHABLE_PROBLEM,
    reason: 'unreachable',
  },
];

/**
 * Makes the error for a failed git command. It is retryable if a retry may help, or if the meaning
 * of git's message is unknown. In that case the error quotes the message, cleaned.
 * @param action what was tried, e.g. `Fetching from github.com/acme/site`
 * @param result the failed command's result
 */
export function gitFailure(action: string, result: GitResult): DomainError {
  const meaning = findMeaning(result.stderr);
  const description =
    meaning?.description ?? (gitErrorWords(result.stderr) || `git exited with code ${result.code}`);
  return new DomainError('GIT_FAILED', `${action} failed: ${description}`, {
    retryable: !meaning || retryableReasons.includes(meaning.reason),
    ...(meaning && { details: { reason: meaning.reason } }),
  });
}

function findMeaning(stderr: string) {
  for (const { pattern, description, reason } of failureMeanings) {
    const match = pattern.exec(stderr);
    if (match)
      return {
        reason,
        description: typeof description === 'string' ? description : description(match),
      };
  }
  return undefined;
}

function gitErrorWords(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => /^(fatal|error): /.test(line));
  return sanitizeMessage((lines[0] ?? '').replace(/^(fatal|error): /, ''));
}

/** The remote's own words (its `remote:` lines) on one line of at most 400 characters. */
export function remoteWords(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.startsWith('remote:'));
  return sanitizeMessage(
    lines
      .map((line) => line.slice('remote:'.length).trim())
      .filter(Boolean)
      .join('; '),
  );
}

const messageLength = 400;

/**
 * Cleans an untrusted text for a message: one line of at most 400 characters, without escape
 * sequences, userinfo in URLs and absolute paths.
 */
export function sanitizeMessage(text: string): string {
  const clean = text
    .replace(/\u001b\[[0-9;]*[A-Za-z]/g, '')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/:\/\/[^\s/@]*@/g, '://')
    .replace(/(^|[\s'"(=])(?:file:\/\/)?\/[^\s'")]+/g, '$1…')
    .trim();
  return clean.length > messageLength ? `${clean.slice(0, messageLength - 1)}…` : clean;
}
