import { DomainError, hasErrorCode } from '../../../errors.ts';
import { sanitizeMessage, gitFailure, remoteWords } from '../command/gitFailure.ts';
import { checkedOutRemedy, isCheckedOutReason } from './checkedOutBranch.ts';
import type { SiteClone, Remote } from '../siteClone.ts';
import type { RemoteResult } from './connector.ts';
import type { GitResult } from '../command/git.ts';
import { withOtherRefsHidden } from './hideOtherRefs.ts';

/** Milliseconds that a fetch or a push may take. */
export const networkTimeout = 10 * 60_000;

/** The remote's name in messages: host and path; no path for a local address. */
export const remoteName = ({ url }: Remote) =>
  url.startsWith('file:')
    ? 'the local repository'
    : url.replace(/^[a-z]+:\/\//, '').replace(/^[^/@]*@/, '');

/** A commit to push to a ref of the remote. */
export interface RefPush {
  commit: string;
  ref: string;
  /**
   * The commit that the remote's ref must have, or else the push changes nothing (a lease,
   * `--force-with-lease`). '': the ref must not exist yet. Absent: any commit.
   */
  expected?: string;
  /** How messages name the ref, e.g. `branch main`. */
  name: string;
  /** Whether git only asks the remote (`--dry-run`). */
  isDry?: boolean;
}

type PushOutcome = 'pushed' | 'moved';

/**
 * Pushes one commit, with an explicit lease if `expected` is given.
 * @returns `pushed` (also if the remote has the commit already), or `moved` if the ref is not at
 *   the expected commit
 * @throws DomainError PUSH_REFUSED with the remote's reason; GIT_FAILED
 */
export async function pushRef(
  clone: SiteClone,
  push: RefPush,
  signal?: AbortSignal,
): Promise<PushOutcome> {
  const [result] = await pushOnce(clone, [push], signal);
  if (result?.status === 'fulfilled') return result.value;
  throw result?.reason;
}

/**
 * Pushes commits by one command, each with its own lease. The remote may take some and refuse
 * others. It may also refuse all because of one, or because they are too large together. So each
 * refused commit is pushed again alone.
 * @returns for each commit what `pushRef` returns or throws
 * @throws DomainError GIT_FAILED
 */
export async function pushRefs(
  clone: SiteClone,
  pushes: RefPush[],
  signal?: AbortSignal,
): Promise<PromiseSettledResult<PushOutcome>[]> {
  const results = await pushOnce(clone, pushes, signal);
  const isRefusedAlone = (result: PromiseSettledResult<PushOutcome>) =>
    result.status === 'rejected' && isSingleRefusal(result.reason);
  if (pushes.length === 1 || !results.some(isRefusedAlone)) return results;
  const retriedResults: PromiseSettledResult<PushOutcome>[] = [];
  for (const [index, result] of results.entries())
    retriedResults.push(
      ...(isRefusedAlone(result) ? await pushOnce(clone, [pushes[index]!], signal) : [result]),
    );
  return retriedResults;
}

/** The remote could not unpack the pushed objects. */
class UnpackError extends DomainError {}

/** Whether the remote refused a whole push, maybe because of one of its commits. */
export const isSingleRefusal = (error: unknown) =>
  error instanceof UnpackError || hasErrorCode(error, 'PUSH_REFUSED');

async function pushOnce(clone: SiteClone, pushes: RefPush[], signal?: AbortSignal) {
  const args = pushes.map(({ ref, expected }) =>
    expected === undefined ? '--force' : `--force-with-lease=${ref}:${expected}`,
  );
  const refs = pushes.map(({ commit, ref }) => `${commit}:${ref}`);
  const dryOptions = pushes.some(({ isDry }) => isDry) ? ['--dry-run'] : [];
  const result = await runPush(clone, { args: [...dryOptions, ...args], refs }, signal);
  const refusals = pushes.map(({ ref }) => parseRefusal(result, ref));
  if (
    result.code !== 0 &&
    !isTooLarge(result) &&
    refusals.every((refusal) => refusal === undefined)
  )
    throw pushFailure(clone.remote, result);
  return pushes.map((push, index) =>
    readPushOutcome(clone.remote, push, { result, refused: refusals[index] }),
  );
}

function readPushOutcome(
  remote: Remote,
  push: RefPush,
  { result, refused }: { result: RemoteResult; refused: PushRefusal | undefined },
): PromiseSettledResult<PushOutcome> {
  if (refused === undefined && remoteHasCommit(result, push.ref))
    return { status: 'fulfilled', value: 'pushed' };
  if (refused && isMovedRefusal(refused)) return { status: 'fulfilled', value: 'moved' };
  if (isTooLarge(result)) return { status: 'rejected', reason: pushTooLargeError(push) };
  if (refused === undefined || refused.kind === 'remote failure')
    return { status: 'rejected', reason: pushFailure(remote, result) };
  return { status: 'rejected', reason: pushRefusedError(remote, push, refused, result) };
}

const pushFailure = (remote: Remote, result: GitResult) =>
  gitFailure(`Pushing to ${remoteName(remote)}`, result);

/**
 * Whether the remote, or a proxy before it, refuses a push of this size (`receive.maxInputSize`,
 * RFC 9110 413).
 */
export const isTooLarge = ({ code, stderr }: Pick<GitResult, 'code' | 'stderr'>) =>
  code !== 0 && /returned error: 413|pack exceeds maximum allowed size/.test(stderr);

export const pushTooLargeError = ({ name }: Pick<RefPush, 'name'>) =>
  new DomainError(
    'PUSH_REFUSED',
    `The push to ${name} was rejected, because it is larger than the remote allows`,
  );

/**
 * Runs `git push`, without judging its result.
 * @param command.args more options
 * @param command.refs git's refspecs, such as `<commit>:<ref>`, or `:<ref>` to delete
 */
export function runPush(
  { store, remote, connect }: SiteClone,
  { args, refs }: { args: string[]; refs: string[] },
  signal?: AbortSignal,
): Promise<RemoteResult> {
  const commonArgs = [
    'push',
    '--porcelain',
    '--no-verify',
    '--no-signed',
    '--recurse-submodules=no',
  ];
  const command = {
    args: [...commonArgs, ...args, '--', remote.url, ...refs],
    timeout: networkTimeout,
    signal,
  };
  return connect(remote, (transport) =>
    transport.protocol === 'file'
      ? withOtherRefsHidden(store, refs, (env) => store.tryGit({ ...command, ...transport, env }))
      : store.tryGit({ ...command, ...transport }),
  );
}

/** From a line such as `[remote rejected] (hook declined)`: the words in the two brackets. */
export interface PushRefusal {
  kind: string;
  reason: string | undefined;
}

/** How the remote refused one ref of a failed push; undefined if git failed before the refs. */
export function parseRefusal(
  { stdout }: Pick<GitResult, 'stdout'>,
  ref: string,
): PushRefusal | undefined {
  for (const line of stdout.toString().split('\n')) {
    const [flag, refNames, description = ''] = line.split('\t');
    if (flag !== '!' || !refNames?.endsWith(`:${ref}`)) continue;
    const [, kind, reason] = /^\[([^\]]*)\](?: \((.*)\))?$/.exec(description) ?? [];
    if (kind !== undefined) return { kind, reason };
  }
  return undefined;
}

/**
 * Whether git reports that the remote has the commit. After an aborted push, git reports nothing
 * about some refs.
 */
const remoteHasCommit = ({ code, stdout }: GitResult, ref: string) =>
  code === 0 ||
  stdout
    .toString()
    .split('\n')
    .some((line) => /^[ +*=]\t/.test(line) && line.split('\t')[1]?.endsWith(`:${ref}`));

/** Whether a ref was refused because it is not at the expected commit. */
export const isMovedRefusal = ({ kind, reason = '' }: PushRefusal) =>
  !/^atomic /.test(reason) &&
  (kind === 'rejected' ||
    /cannot lock ref|failed to update ref|incorrect old value|stale info|fetch first|non-fast-forward/.test(
      reason,
    ));

function pushRefusedError(
  remote: Remote,
  push: RefPush,
  { kind, reason }: PushRefusal,
  { stderr, redact }: RemoteResult,
): DomainError {
  if (isCheckedOutReason(reason))
    return new DomainError(
      'PUSH_REFUSED',
      `The push to ${push.name} was rejected, because it is checked out in a work tree of the repository. ${checkedOutRemedy}`,
    );
  if (/unpacker error|internal server error|failed to write|quarantine/.test(reason ?? ''))
    return new UnpackError(
      'GIT_FAILED',
      `Pushing to ${remoteName(remote)} failed: ${sanitizeMessage(redact(reason ?? ''))}`,
      {
        retryable: true,
      },
    );
  const words = [sanitizeMessage(redact(reason ?? kind)), remoteWords(stderr)];
  return new DomainError('PUSH_REFUSED', refusedPushMessage(push.name, words));
}

/** @param words the words of git and of the remote, which may be empty */
export const refusedPushMessage = (name: string, words: string[]) =>
  `The push to ${name} was rejected: ${words.filter(Boolean).join(': ')}`;
