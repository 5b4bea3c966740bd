import { DomainError } from '../../errors.ts';
import { cleaned, gitFailure, remoteWords } from './failure.ts';
import { checkedOutRemedy, isCheckedOutReason } from './checkedOut.ts';
import type { Clone, Remote } from './clone.ts';
import type { GitResult } from './git.ts';

/** Milliseconds that a fetch or a push may take. */
export const networkTimeout = 10 * 60_000;

/** The name for messages: host and path, nothing of a local address. */
export const nameOf = ({ url }: Remote) =>
  url.startsWith('file:') ? 'the local repository' : url.replace(/^[a-z]+:\/\//, '').replace(/^[^/@]*@/, '');

export const protocolOf = ({ url }: Remote) => /^(file|https|ssh):\/\//.exec(url)?.[1] ?? 'ssh';

export interface Push {
  commit: string;
  ref: string;
  /** The commit that the remote's ref must still have; '' for a ref that must not be there yet; absent: any. */
  expected?: string;
  /** How messages name the ref, e.g. `branch main`. */
  name: string;
}

/**
 * Pushes one commit, with an explicit lease if something is expected.
 * @returns `pushed` (also if the remote has it already), or `moved` if the ref is no longer what was expected
 * @throws DomainError PUSH_REFUSED with the remote's reason; GIT_FAILED
 */
export async function pushRef(clone: Clone, push: Push, signal?: AbortSignal): Promise<'pushed' | 'moved'> {
  const args = push.expected === undefined ? ['--force'] : [`--force-with-lease=${push.ref}:${push.expected}`];
  const result = await runPush(clone, { args, refs: [`${push.commit}:${push.ref}`] }, signal);
  if (result.code === 0) return 'pushed';
  const refused = refusalOf(result, push.ref);
  if (refused === undefined || refused.kind === 'remote failure')
    throw gitFailure(`Pushing to ${nameOf(clone.remote)}`, result);
  if (hasMoved(refused)) return 'moved';
  throw refusal(clone.remote, push, { ...refused, stderr: result.stderr });
}

/** @param options.refs what goes where, as git's refspecs */
export function runPush(
  { store, remote }: Clone,
  { args, refs }: { args: string[]; refs: string[] },
  signal?: AbortSignal,
): Promise<GitResult> {
  const common = ['push', '--porcelain', '--no-verify', '--no-signed', '--recurse-submodules=no'];
  return store.tryGit({
    args: [...common, ...args, '--', remote.url, ...refs],
    protocol: protocolOf(remote),
    timeout: networkTimeout,
    signal,
  });
}

export interface Refusal {
  kind: string;
  reason: string | undefined;
}

/** What became of one ref of a push that failed; undefined where git did not get as far as the refs. */
export function refusalOf({ stdout }: Pick<GitResult, 'stdout'>, ref: string): Refusal | undefined {
  for (const line of stdout.toString().split('\n')) {
    const [flag, names, says = ''] = line.split('\t');
    if (flag !== '!' || !names?.endsWith(`:${ref}`)) continue;
    const [, kind, reason] = /^\[([^\]]*)\](?: \((.*)\))?$/.exec(says) ?? [];
    if (kind !== undefined) return { kind, reason };
  }
  return undefined;
}

/** Whether a ref was refused because it is no longer what was expected. */
export const hasMoved = ({ kind, reason = '' }: Refusal) =>
  !/^atomic /.test(reason) &&
  (kind === 'rejected' ||
    /cannot lock ref|failed to update ref|incorrect old value|stale info|fetch first|non-fast-forward/.test(reason));

function refusal(remote: Remote, push: Push, { kind, reason, stderr }: Refusal & { stderr: string }): DomainError {
  if (isCheckedOutReason(reason))
    return new DomainError(
      'PUSH_REFUSED',
      `The push to ${push.name} was refused: it is checked out in a work tree of the repository. ${checkedOutRemedy}`,
    );
  if (/unpacker error|internal server error|failed to write|quarantine/.test(reason ?? ''))
    return new DomainError('GIT_FAILED', `Pushing to ${nameOf(remote)} failed: ${cleaned(reason ?? '')}`, {
      retryable: true,
    });
  const words = [cleaned(reason ?? kind), remoteWords(stderr)].filter(Boolean).join(': ');
  return new DomainError('PUSH_REFUSED', `The push to ${push.name} was refused: ${words}`);
}
