import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../errors.ts';
import { cleaned, gitFailure, remoteWords } from './failure.ts';
import { checkedOutRemedy, isCheckedOutReason } from './checkedOut.ts';
import type { Clone, Remote } from './clone.ts';
import type { GitResult } from './git.ts';
import type { Store } from './store.ts';

const networkTimeout = 10 * 60_000;
const watchInterval = 500;

/** The name for messages: host and path, nothing of a local address. */
const nameOf = ({ url }: Remote) =>
  url.startsWith('file:') ? 'the local repository' : url.replace(/^[a-z]+:\/\//, '').replace(/^[^/@]*@/, '');

const protocolOf = ({ url }: Remote) => /^(file|https|ssh):\/\//.exec(url)?.[1] ?? 'ssh';

/**
 * Fetches one ref of the remote into a ref of ours, replacing that.
 * @returns false if the remote has no such ref
 * @throws DomainError GIT_FAILED; LIMIT_EXCEEDED when the repository grows over its limit
 */
export async function fetchRef(
  { store, remote, siteLimits }: Clone,
  refs: { from: string; to: string },
  signal?: AbortSignal,
): Promise<boolean> {
  const args = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules', '--'];
  const result = await withinSize(store, siteLimits.siteBytes, signal, (watched) =>
    store.tryGit({
      args: [...args, remote.url, `+${refs.from}:${refs.to}`],
      protocol: protocolOf(remote),
      timeout: networkTimeout,
      signal: watched,
    }),
  );
  if (result.code === 0) return true;
  if (/couldn't find remote ref/.test(result.stderr)) return false;
  throw gitFailure(`Fetching from ${nameOf(remote)}`, result);
}

/** Ends the fetch as soon as the repository's packs are over the limit, and checks once more when it is done. */
async function withinSize(
  store: Store,
  siteBytes: number,
  signal: AbortSignal | undefined,
  fetch: (signal: AbortSignal) => Promise<GitResult>,
): Promise<GitResult> {
  const tooLarge = new AbortController();
  const check = async () => {
    if ((await packBytes(store.dir)) > siteBytes) tooLarge.abort(overSize(siteBytes));
  };
  const timer = setInterval(() => void check(), watchInterval);
  try {
    const result = await fetch(signal ? AbortSignal.any([signal, tooLarge.signal]) : tooLarge.signal);
    await check();
    tooLarge.signal.throwIfAborted();
    return result;
  } finally {
    clearInterval(timer);
  }
}

const overSize = (bytes: number) =>
  new DomainError('LIMIT_EXCEEDED', `The repository is larger than ${Math.floor(bytes / 1024 ** 2)} MiB`);

async function packBytes(dir: string): Promise<number> {
  const folder = join(dir, 'objects/pack');
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

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
