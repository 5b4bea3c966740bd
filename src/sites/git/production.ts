import { DomainError } from '../../errors.ts';
import { hasCommit, readRef } from './history.ts';
import { checkObjectId } from './names.ts';
import { fetchRef, type Remote } from './remote.ts';
import type { Store } from './store.ts';

/** What is fetched of a remote: its production branch, and single commits that are missing here. */
export interface Production {
  /** Fetches the branch and returns its head. For work that has the store to itself. Throws GIT_FAILED without the branch. */
  fetchHead: (signal?: AbortSignal) => Promise<string>;
  /** The head as it was fetched last, null if it never was. */
  lastHead: () => Promise<string | null>;
  /** Fetches a commit that is not here by a ref of the remote, or else with the branch. Throws GIT_FAILED if it is nowhere. */
  need: (commit: string, ref?: string, signal?: AbortSignal) => Promise<void>;
}

/** @param siteBytes bytes that the repository may have */
export function createProduction(store: Store, remote: Remote, siteBytes: number): Production {
  const headRef = `refs/remotes/origin/${remote.branch}`;

  async function fetchHead(signal?: AbortSignal): Promise<string> {
    const found = await fetchRef(
      store,
      remote,
      { from: `refs/heads/${remote.branch}`, to: headRef },
      { signal, siteBytes },
    );
    const head = found ? await readRef(store, headRef) : null;
    if (head === null) throw new DomainError('GIT_FAILED', `Branch ${remote.branch} not found in the repository`);
    return head;
  }

  async function need(commit: string, ref?: string, signal?: AbortSignal): Promise<void> {
    if (await hasCommit(store, checkObjectId(commit))) return;
    await store.exclusive(async () => {
      if (ref !== undefined) await fetchRef(store, remote, { from: ref, to: ref }, { signal, siteBytes });
      if (await hasCommit(store, commit)) return;
      await fetchHead(signal);
      if (!(await hasCommit(store, commit)))
        throw new DomainError('GIT_FAILED', `Commit ${commit} not found in the repository`);
    }, signal);
  }

  return { fetchHead, lastHead: () => readRef(store, headRef), need };
}
