import { DomainError } from '../../errors.ts';
import type { GitResult } from './git.ts';

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

interface Meaning {
  pattern: RegExp;
  says: string | ((match: RegExpExecArray) => string);
  reason: GitReason;
}

/** Failures that a retry may solve. */
const passing: GitReason[] = ['disk', 'unreachable'];

/**
 * Meanings of messages from git 2.32 to 2.5x, curl and OpenSSH (under LC_ALL=C). The first matching
 * pattern counts.
 */
const meanings: Meaning[] = [
  {
    // git's check of objects reports: `<id of the object>: <id of the finding>: <words>`
    pattern: /^error: object ([0-9a-f]{40,64}): ([A-Za-z0-9]{1,60}): /m,
    says: ([, object, finding]) => `git's check of its objects found ${finding} in ${object}`,
    reason: 'damaged',
  },
  {
    pattern: /^(fatal|error): attempting to allocate \d+ over limit/m,
    says: 'it needs too much memory: it has too many objects, or a very large one that is no plain file',
    reason: 'damaged',
  },
  {
    pattern: /died of signal (4|6|7|8|10|11)\b/,
    says: 'git broke down on its contents, as it does on folders that are nested too deeply',
    reason: 'damaged',
  },
  {
    pattern:
      /possible repository corruption|did not send all necessary objects|exceeded maximum allowed tree depth|^fatal: (fsck error|pack has bad object|corrupt|malformed|too-short tree|empty filename in tree|bad tree)/m,
    says: 'it is damaged: run `git fsck` in it',
    reason: 'damaged',
  },
  {
    pattern: /^error: invalid path '([^\n']{1,200})/m,
    says: ([, path]) => `it has a name that git does not allow: ${cleaned(path ?? '')}`,
    reason: 'damaged',
  },
  {
    pattern: /shallow roots are not allowed/,
    says: 'it is a shallow clone: run `git fetch --unshallow` in it',
    reason: 'shallow',
  },
  {
    pattern: /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    says: "the host's ssh key has changed since the repository was added; if that is right, save the repository again",
    reason: 'host-key',
  },
  {
    pattern: /Host key verification failed/,
    says: 'the ssh host key is not known',
    reason: 'host-key',
  },
  {
    pattern:
      /Authentication failed|could not read (Username|Password)|terminal prompts disabled|Permission( to \S+)? denied|returned error: 40[13]|Access denied/i,
    says: 'access denied',
    reason: 'access-denied',
  },
  {
    pattern: /returned error: 30\d|redirect/i,
    says: 'the address redirects; register its final one',
    reason: 'redirect',
  },
  {
    pattern:
      /repository\b(?:(?!repository\b)[^\n])* not found|not found in upstream|does not appear to be a git repository|does not exist|returned error: 4(04|10)|project you were looking for could not be found/i,
    says: 'repository not found',
    reason: 'not-found',
  },
  {
    pattern: /transport '[^']*' not allowed|unsafe repository|dubious ownership/,
    says: 'this kind of repository is not allowed',
    reason: 'not-allowed',
  },
  {
    pattern: /mismatched (object format|algorithms)|unsupported object format/,
    says: 'repositories of this object format are not supported',
    reason: 'not-allowed',
  },
  {
    pattern: /SSL certificate|certificate verif|certificate subject/i,
    says: 'its certificate is not trusted',
    reason: 'certificate',
  },
  {
    pattern:
      /No space left|File too large|Disk quota|Unable to create '[^']*\.lock'|cannot lock ref|unable to (create|write)|cannot fork|out of memory/i,
    says: 'the disk is full or locked',
    reason: 'disk',
  },
  {
    pattern:
      /Could not resolve|Failed to connect|Couldn't connect|Connection (refused|timed out|reset|closed)|timed out|returned error: (429|5\d\d)|early EOF|hung up|unexpected disconnect|RPC failed|Network is unreachable|No route to host|unable to access|Could not read from remote|transfer closed|too slow/i,
    says: 'the remote cannot be reached',
    reason: 'unreachable',
  },
];

/**
 * The error for a failed git command.
 * @param action what was tried, e.g. `Fetching from github.com/acme/site`
 * @param result the error only quotes git's own words, cleaned, if their meaning is unknown
 */
export function gitFailure(action: string, result: GitResult): DomainError {
  const meaning = meaningOf(result.stderr);
  const says = meaning?.says ?? (lastWords(result.stderr) || `git ended with code ${result.code}`);
  return new DomainError('GIT_FAILED', `${action} failed: ${says}`, {
    retryable: !meaning || passing.includes(meaning.reason),
    ...(meaning && { details: { reason: meaning.reason } }),
  });
}

function meaningOf(stderr: string) {
  for (const { pattern, says, reason } of meanings) {
    const match = pattern.exec(stderr);
    if (match) return { reason, says: typeof says === 'string' ? says : says(match) };
  }
  return undefined;
}

function lastWords(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => /^(fatal|error): /.test(line));
  return cleaned((lines[0] ?? '').replace(/^(fatal|error): /, ''));
}

/** The remote's own words (its `remote:` lines) on one line of at most 400 characters. */
export function remoteWords(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.startsWith('remote:'));
  return cleaned(
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
export function cleaned(text: string): string {
  const clean = text
    .replace(/\u001b\[[0-9;]*[A-Za-z]/g, '')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/:\/\/[^\s/@]*@/g, '://')
    .replace(/(^|[\s'"(=])(?:file:\/\/)?\/[^\s'")]+/g, '$1…')
    .trim();
  return clean.length > messageLength ? `${clean.slice(0, messageLength - 1)}…` : clean;
}
