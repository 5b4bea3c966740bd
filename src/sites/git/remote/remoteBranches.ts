import type { GitTransport } from './remoteAccess.ts';
import type { SiteClone } from '../siteClone.ts';
import { gitFailure } from '../command/gitFailure.ts';
import type { GitRunner } from '../command/git.ts';
import { checkObjectId, taskRef } from '../refNames.ts';
import { remoteName, pushRef } from './push.ts';

export interface RemoteBranches {
  /** The branch of the remote's HEAD; null if it names no existing branch. */
  head: string | null;
  /** Sorted by name. */
  branches: string[];
}

/** Bytes of a remote's list of branches: enough for 10,000. */
const LIST_BYTES = 1024 ** 2;
const LIST_TIMEOUT_MS = 30_000;

/**
 * Lists the branches of a remote: `{ head: 'main', branches: ['main', 'staging'] }`.
 * @throws DomainError GIT_FAILED, LIMIT_EXCEEDED for a list of more than 1 MiB
 */
export async function listBranches(
  git: Pick<GitRunner, 'run'>,
  { remote, connect }: Pick<SiteClone, 'remote' | 'connect'>,
  signal?: AbortSignal,
): Promise<RemoteBranches> {
  const args = ['ls-remote', '--symref', '--', remote.url, 'HEAD', 'refs/heads/*'];
  const runList = (transport: GitTransport) =>
    git.run({ args, ...transport, timeout: LIST_TIMEOUT_MS, maxBytes: LIST_BYTES, signal });
  const result = await connect(remote, runList);
  if (result.code !== 0) throw gitFailure(`Reading ${remoteName(remote)}`, result);
  return parseBranches(result.stdout.toString(), (name) => result.redact(name) !== name);
}

/**
 * Parses the output of `ls-remote --symref`.
 * @param isSecret whether a name repeats the credential; such names are left out
 */
function parseBranches(list: string, isSecret: (name: string) => boolean): RemoteBranches {
  const branches: string[] = [];
  let head: string | null = null;
  for (const line of list.split('\n')) {
    const [value = '', name = ''] = line.split('\t');
    if (name === 'HEAD' && value.startsWith('ref: refs/heads/'))
      head = value.slice('ref: refs/heads/'.length);
    else if (name.startsWith('refs/heads/') && !isSecret(name))
      branches.push(name.slice('refs/heads/'.length));
  }
  return {
    head: head !== null && branches.includes(head) ? head : null,
    branches: branches.sort(),
  };
}

/** Asks the remote whether it takes pushes, see `GitRepositories.mayPush`. */
export async function checkPushAccess(
  clone: SiteClone,
  commit: string,
  signal?: AbortSignal,
): Promise<void> {
  const ref = taskRef('check');
  await pushRef(
    clone,
    { commit: checkObjectId(commit), ref, name: 'the repository', isDry: true },
    signal,
  );
}
