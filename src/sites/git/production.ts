import type { HeldCommit } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import type { Clone } from './clone.ts';
import { hasCommit, readRef } from './history.ts';
import { checkObjectId, liveRef, taskRef } from './names.ts';
import { fetchRef } from './fetch.ts';

/** What is fetched of a remote: its production branch, and single commits that are missing here. */
export interface Production {
  /** Fetches the branch and returns its head, inside `store.exclusive`. Throws GIT_FAILED without the branch. */
  fetchHead: (signal?: AbortSignal) => Promise<string>;
  /** The head as it was fetched last, null if it never was. */
  lastHead: () => Promise<string | null>;
  /**
   * Fetches a commit that is missing here: from its holder, else with the branch, else with the live commit.
   * Throws GIT_FAILED if it is nowhere.
   */
  need: (held: HeldCommit, signal?: AbortSignal) => Promise<void>;
}

export function createProduction(clone: Clone): Production {
  const { store, remote } = clone;
  const headRef = `refs/remotes/origin/${remote.branch}`;
  const branch = { from: `refs/heads/${remote.branch}`, to: headRef };

  async function fetchHead(signal?: AbortSignal): Promise<string> {
    const found = await fetchRef(clone, branch, signal);
    const head = found ? await readRef(store, headRef, signal) : null;
    if (head === null) throw new DomainError('GIT_FAILED', `Branch ${remote.branch} not found in the repository`);
    return head;
  }

  async function need({ commit, heldBy }: HeldCommit, signal?: AbortSignal): Promise<void> {
    if (await hasCommit(store, checkObjectId(commit), signal)) return;
    const live = liveRef(clone.owned.siteId);
    const places = [
      ...(heldBy === null ? [] : [{ from: taskRef(heldBy), to: taskRef(heldBy) }]),
      branch,
      { from: live, to: live },
    ];
    await store.exclusive(async () => {
      for (const place of places) {
        await fetchRef(clone, place, signal);
        if (await hasCommit(store, commit, signal)) return;
      }
      throw gone(commit, remote.branch);
    }, signal);
  }

  return { fetchHead, lastHead: () => readRef(store, headRef), need };
}

function gone(commit: string, branch: string): DomainError {
  const what = `Commit ${commit.slice(0, 10)} is gone from the repository`;
  return new DomainError('GIT_FAILED', `${what}: branch ${branch} was rewritten, or the ref that had it deleted`, {
    details: { gone: commit },
  });
}
