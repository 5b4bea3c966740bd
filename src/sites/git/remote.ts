import { DomainError } from '../../errors.ts';
import { cleaned, gitFailure, remoteWords } from './failure.ts';
import { checkedOutRemedy, isCheckedOutReason } from './checkedOut.ts';
import type { Clone, Remote } from './clone.ts';

/** Milliseconds that a fetch or a push may take. */
export const networkTimeout = 10 * 60_000;

/** The name for messages: host and path, nothing of a local address. */
export const nameOf = ({ url }: Remote) =>
  url.startsWith('file:') ? 'the local repository' : url.replace(/^[a-z]+:\/\//, '').replace(/^[^/@]*@/, '');

export const protocolOf = ({ url }: Remote) => /^(file|https|ssh):\/\//.exec(url)?.[1] ?? 'ssh';

export interface Push {
  commit: string;
  ref: string;
  /** The commit that the remote's ref must still have; '' for a ref that must not be there yet. */
  expected: string;
  /** How messages name the ref, e.g. `branch main`. */
  name: string;
}

/**
 * Pushes one commit with an explicit lease.
 * @returns `pushed` (also if the remote has it already), or `moved` if the ref is no longer what was expected
 * @throws DomainError PUSH_REFUSED with the remote's reason; GIT_FAILED
 */
export async function pushRef({ store, remote }: Clone, push: Push, signal?: AbortSignal): Promise<'pushed' | 'moved'> {
  const args = ['push', '--porcelain', '--no-verify', '--no-signed', '--recurse-submodules=no'];
  const result = await store.tryGit({
    args: [...args, `--force-with-lease=${push.ref}:${push.expected}`, '--', remote.url, `${push.commit}:${push.ref}`],
    protocol: protocolOf(remote),
    timeout: networkTimeout,
    signal,
  });
  if (result.code === 0) return 'pushed';
  const [, kind, reason] = /^!\t[^\t]*\t\[([^\]]*)\](?: \((.*)\))?$/m.exec(result.stdout.toString()) ?? [];
  if (kind === undefined || kind === 'remote failure') throw gitFailure(`Pushing to ${nameOf(remote)}`, result);
  if (
    kind === 'rejected' ||
    /cannot lock ref|failed to update ref|incorrect old value|stale info|fetch first|non-fast-forward/.test(
      reason ?? '',
    )
  )
    return 'moved';
  if (isCheckedOutReason(reason))
    throw new DomainError(
      'PUSH_REFUSED',
      `The push to ${push.name} was refused: it is checked out in a work tree of the repository. ${checkedOutRemedy}`,
    );
  if (/unpacker error|internal server error|failed to write|quarantine/.test(reason ?? ''))
    throw new DomainError('GIT_FAILED', `Pushing to ${nameOf(remote)} failed: ${cleaned(reason ?? '')}`, {
      retryable: true,
    });
  const words = [cleaned(reason ?? kind), remoteWords(result.stderr)].filter(Boolean).join(': ');
  throw new DomainError('PUSH_REFUSED', `The push to ${push.name} was refused: ${words}`);
}
