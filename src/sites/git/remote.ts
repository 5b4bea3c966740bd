import { DomainError } from '../../errors.ts';
import { cleaned, gitFailure, remoteWords } from './failure.ts';
import type { GitResult } from './git.ts';
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

type Pushed = 'pushed' | 'moved';

/**
 * Pushes one commit with an explicit lease.
 * @returns `pushed` (also if the remote has it already), or `moved` if the ref is no longer what was expected
 * @throws DomainError PUSH_REFUSED with the remote's reason; GIT_FAILED
 */
export async function pushRef(clone: Clone, push: Push, signal?: AbortSignal): Promise<Pushed> {
  const [result] = await pushRefs(clone, [push], signal);
  if (result?.status === 'fulfilled') return result.value;
  throw result?.reason;
}

/**
 * Pushes commits, each with its own lease, by one command. The remote may take some of them and refuse others. A hook
 * there may refuse all because of one: then each is pushed alone.
 * @returns for each of them as `pushRef`
 * @throws DomainError GIT_FAILED
 */
export async function pushRefs(
  clone: Clone,
  pushes: Push[],
  signal?: AbortSignal,
): Promise<PromiseSettledResult<Pushed>[]> {
  const results = await pushOnce(clone, pushes, signal);
  const isOut = (result: PromiseSettledResult<Pushed>) => result.status === 'rejected' && isRefused(result.reason);
  if (pushes.length === 1 || !results.some(isOut)) return results;
  const again: PromiseSettledResult<Pushed>[] = [];
  for (const [at, result] of results.entries())
    again.push(...(isOut(result) ? await pushOnce(clone, [pushes[at]!], signal) : [result]));
  return again;
}

/** Whether the remote refused a push for good. */
export const isRefused = (error: unknown) => error instanceof DomainError && error.code === 'PUSH_REFUSED';

async function pushOnce({ store, remote }: Clone, pushes: Push[], signal?: AbortSignal) {
  const result = await store.tryGit({
    args: [
      ...['push', '--porcelain', '--no-verify', '--no-signed', '--recurse-submodules=no'],
      ...pushes.map(({ ref, expected }) => `--force-with-lease=${ref}:${expected}`),
      ...['--', remote.url],
      ...pushes.map(({ commit, ref }) => `${commit}:${ref}`),
    ],
    protocol: protocolOf(remote),
    timeout: networkTimeout,
    signal,
  });
  const refused = refusalsIn(result.stdout.toString());
  if (result.code !== 0 && refused.size === 0) throw gitFailure(`Pushing to ${nameOf(remote)}`, result);
  return pushes.map((push): PromiseSettledResult<Pushed> => {
    const outcome = outcomeOf(remote, push, { result, refusal: refused.get(push.ref) });
    if (outcome instanceof DomainError) return { status: 'rejected', reason: outcome };
    return { status: 'fulfilled', value: outcome };
  });
}

interface Refusal {
  kind: string;
  reason: string | undefined;
}

/** The refs that were not updated, of git's lines `!\t<from>:<to>\t[<kind>] (<reason>)`. */
function refusalsIn(output: string): Map<string, Refusal> {
  const lines = output.matchAll(/^!\t[^\t:]*:([^\t]*)\t\[([^\]]*)\](?: \((.*)\))?$/gm);
  return new Map(Array.from(lines, ([, ref = '', kind = '', reason]) => [ref, { kind, reason }]));
}

function outcomeOf(
  remote: Remote,
  { name }: Push,
  { result, refusal }: { result: GitResult; refusal: Refusal | undefined },
): Pushed | DomainError {
  if (!refusal) return 'pushed';
  const { kind, reason } = refusal;
  if (kind === 'remote failure') return gitFailure(`Pushing to ${nameOf(remote)}`, result);
  if (
    kind === 'rejected' ||
    /cannot lock ref|failed to update ref|incorrect old value|stale info|fetch first|non-fast-forward/.test(
      reason ?? '',
    )
  )
    return 'moved';
  if (isCheckedOutReason(reason))
    return new DomainError(
      'PUSH_REFUSED',
      `The push to ${name} was refused: it is checked out in a work tree of the repository. ${checkedOutRemedy}`,
    );
  if (/unpacker error|internal server error|failed to write|quarantine/.test(reason ?? ''))
    return new DomainError('GIT_FAILED', `Pushing to ${nameOf(remote)} failed: ${cleaned(reason ?? '')}`, {
      retryable: true,
    });
  const words = [cleaned(reason ?? kind), remoteWords(result.stderr)].filter(Boolean).join(': ');
  return new DomainError('PUSH_REFUSED', `The push to ${name} was refused: ${words}`);
}
