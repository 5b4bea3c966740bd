import { DomainError, hasCode } from '../../errors.ts';
import { cleaned, gitFailure, remoteWords } from './failure.ts';
import { checkedOutRemedy, isCheckedOutReason } from './checkedOutBranch.ts';
import type { Clone, Remote } from './clone.ts';
import type { RemoteResult } from './connect.ts';
import type { GitResult } from './git.ts';
import { withOthersHidden } from './hideOtherRefs.ts';

/** Milliseconds that a fetch or a push may take. */
export const networkTimeout = 10 * 60_000;

/** The remote's name in messages: host and path; no path for a local address. */
export const nameOf = ({ url }: Remote) =>
  url.startsWith('file:')
    ? 'the local repository'
    : url.replace(/^[a-z]+:\/\//, '').replace(/^[^/@]*@/, '');

export interface Push {
  commit: string;
  ref: string;
  /**
   * The commit that the remote's ref must have, for the lease. '': the ref must not exist yet.
   * Absent: any commit.
   */
  expected?: string;
  /** How messages name the ref, e.g. `branch main`. */
  name: string;
  /** Whether git only asks the remote (`--dry-run`). */
  isDry?: boolean;
}

type Pushed = 'pushed' | 'moved';

/**
 * Pushes one commit, with an explicit lease if `expected` is given.
 * @returns `pushed` (also if the remote has the commit already), or `moved` if the ref is not at
 *   the expected commit
 * @throws DomainError PUSH_REFUSED with the remote's reason; GIT_FAILED
 */
export async function pushRef(clone: Clone, push: Push, signal?: AbortSignal): Promise<Pushed> {
  const [result] = await pushOnce(clone, [push], signal);
  if (result?.status === 'fulfilled') return result.value;
  throw result?.reason;
}

/**
 * Pushes commits by one command, each with its own lease. The remote may take some and refuse
 * others. It may also refuse all because of one, or because they are too large together: then each
 * is pushed alone.
 * @returns for each commit as `pushRef`
 * @throws DomainError GIT_FAILED
 */
export async function pushRefs(
  clone: Clone,
  pushes: Push[],
  signal?: AbortSignal,
): Promise<PromiseSettledResult<Pushed>[]> {
  const results = await pushOnce(clone, pushes, signal);
  const isOut = (result: PromiseSettledResult<Pushed>) =>
    result.status === 'rejected' && isOfOne(result.reason);
  if (pushes.length === 1 || !results.some(isOut)) return results;
  const again: PromiseSettledResult<Pushed>[] = [];
  for (const [at, result] of results.entries())
    again.push(...(isOut(result) ? await pushOnce(clone, [pushes[at]!], signal) : [result]));
  return again;
}

/** The remote could not unpack the pushed objects. */
class NotUnpacked extends DomainError {}

/** Whether the remote refused a whole push, maybe because of one of its commits. */
export const isOfOne = (error: unknown) =>
  error instanceof NotUnpacked || hasCode(error, 'PUSH_REFUSED');

async function pushOnce(clone: Clone, pushes: Push[], signal?: AbortSignal) {
  const args = pushes.map(({ ref, expected }) =>
    expected === undefined ? '--force' : `--force-with-lease=${ref}:${expected}`,
  );
  const refs = pushes.map(({ commit, ref }) => `${commit}:${ref}`);
  const dry = pushes.some(({ isDry }) => isDry) ? ['--dry-run'] : [];
  const result = await runPush(clone, { args: [...dry, ...args], refs }, signal);
  const refused = pushes.map(({ ref }) => refusalOf(result, ref));
  if (result.code !== 0 && !isTooLarge(result) && refused.every((refusal) => refusal === undefined))
    throw pushFailure(clone.remote, result);
  return pushes.map((push, at) => outcomeOf(clone.remote, push, { result, refused: refused[at] }));
}

function outcomeOf(
  remote: Remote,
  push: Push,
  { result, refused }: { result: RemoteResult; refused: Refusal | undefined },
): PromiseSettledResult<Pushed> {
  if (refused === undefined && isThere(result, push.ref))
    return { status: 'fulfilled', value: 'pushed' };
  if (refused && hasMoved(refused)) return { status: 'fulfilled', value: 'moved' };
  if (isTooLarge(result)) return { status: 'rejected', reason: tooLarge(push) };
  if (refused === undefined || refused.kind === 'remote failure')
    return { status: 'rejected', reason: pushFailure(remote, result) };
  return { status: 'rejected', reason: refusal(remote, push, refused, result) };
}

const pushFailure = (remote: Remote, result: GitResult) =>
  gitFailure(`Pushing to ${nameOf(remote)}`, result);

/**
 * Whether the remote, or a proxy before it, refuses a push of this size (`receive.maxInputSize`,
 * RFC 9110 413).
 */
export const isTooLarge = ({ code, stderr }: Pick<GitResult, 'code' | 'stderr'>) =>
  code !== 0 && /returned error: 413|pack exceeds maximum allowed size/.test(stderr);

export const tooLarge = ({ name }: Pick<Push, 'name'>) =>
  new DomainError(
    'PUSH_REFUSED',
    `The push to ${name} was refused: it is larger than the remote takes`,
  );

/** Runs `git push`. @param options.refs git's refspecs */
export function runPush(
  { store, remote, connect }: Clone,
  { args, refs }: { args: string[]; refs: string[] },
  signal?: AbortSignal,
): Promise<RemoteResult> {
  const common = ['push', '--porcelain', '--no-verify', '--no-signed', '--recurse-submodules=no'];
  const command = {
    args: [...common, ...args, '--', remote.url, ...refs],
    timeout: networkTimeout,
    signal,
  };
  return connect(remote, (means) =>
    means.protocol === 'file'
      ? withOthersHidden(store, refs, (env) => store.tryGit({ ...command, ...means, env }))
      : store.tryGit({ ...command, ...means }),
  );
}

export interface Refusal {
  kind: string;
  reason: string | undefined;
}

/** How the remote refused one ref of a failed push; undefined if git failed before the refs. */
export function refusalOf({ stdout }: Pick<GitResult, 'stdout'>, ref: string): Refusal | undefined {
  for (const line of stdout.toString().split('\n')) {
    const [flag, names, says = ''] = line.split('\t');
    if (flag !== '!' || !names?.endsWith(`:${ref}`)) continue;
    const [, kind, reason] = /^\[([^\]]*)\](?: \((.*)\))?$/.exec(says) ?? [];
    if (kind !== undefined) return { kind, reason };
  }
  return undefined;
}

/**
 * Whether git reports that the remote has the commit. After an aborted push, git reports nothing
 * about some refs.
 */
const isThere = ({ code, stdout }: GitResult, ref: string) =>
  code === 0 ||
  stdout
    .toString()
    .split('\n')
    .some((line) => /^[ +*=]\t/.test(line) && line.split('\t')[1]?.endsWith(`:${ref}`));

/** Whether a ref was refused because it is not at the expected commit. */
export const hasMoved = ({ kind, reason = '' }: Refusal) =>
  !/^atomic /.test(reason) &&
  (kind === 'rejected' ||
    /cannot lock ref|failed to update ref|incorrect old value|stale info|fetch first|non-fast-forward/.test(
      reason,
    ));

function refusal(
  remote: Remote,
  push: Push,
  { kind, reason }: Refusal,
  { stderr, cut }: RemoteResult,
): DomainError {
  if (isCheckedOutReason(reason))
    return new DomainError(
      'PUSH_REFUSED',
      `The push to ${push.name} was refused: it is checked out in a work tree of the repository. ${checkedOutRemedy}`,
    );
  if (/unpacker error|internal server error|failed to write|quarantine/.test(reason ?? ''))
    return new NotUnpacked(
      'GIT_FAILED',
      `Pushing to ${nameOf(remote)} failed: ${cleaned(cut(reason ?? ''))}`,
      {
        retryable: true,
      },
    );
  const words = [cleaned(cut(reason ?? kind)), remoteWords(stderr)].filter(Boolean).join(': ');
  return new DomainError('PUSH_REFUSED', `The push to ${push.name} was refused: ${words}`);
}
