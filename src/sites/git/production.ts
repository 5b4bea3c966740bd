import type { HeldCommit } from '../../contract/site.ts';
import { namesOf } from '../../contract/text.ts';
import { DomainError } from '../../errors.ts';
import type { Clone } from './clone.ts';
import { hasCommit, readRef } from './history.ts';
import { checkObjectId, liveRef, taskRef } from './refNames.ts';
import { fetchRef } from './fetch.ts';
import { look } from './remoteBranches.ts';

/** Fetches a site's production branch, and single commits that are missing here. */
export interface Production {
  /** The branch's ref at the remote, and its ref in the copy. */
  refs: { remote: string; local: string };
  /**
   * Fetches the branch under the store's lock. Throws GIT_FAILED if the remote lacks the branch.
   * @param holders more local refs to set to the head
   * @returns the branch's head
   */
  fetchHead: (signal?: AbortSignal, holders?: string[]) => Promise<string>;
  /** The head after the last fetch or push; null if there was none. */
  lastHead: () => Promise<string | null>;
  /**
   * Fetches a commit if it is missing here: from its holder, else with the branch, else with the
   * live commit. Throws GIT_FAILED if none of them has it.
   */
  need: (held: HeldCommit, signal?: AbortSignal) => Promise<void>;
}

export function createProduction(clone: Clone): Production {
  const { store, remote } = clone;
  const refs = {
    remote: `refs/heads/${remote.branch}`,
    local: `refs/remotes/origin/${remote.branch}`,
  };

  async function fetchHead(signal?: AbortSignal, holders: string[] = []): Promise<string> {
    const head = await fetchRef(clone, { from: refs.remote, to: [refs.local, ...holders] }, signal);
    if (head === null) throw await noBranch(clone, signal);
    return head;
  }

  async function need({ commit, heldBy }: HeldCommit, signal?: AbortSignal): Promise<void> {
    if (await hasCommit(store, checkObjectId(commit))) return;
    const live = liveRef(clone.owned.siteId);
    const places = [
      ...(heldBy === null ? [] : [{ from: taskRef(heldBy), to: [taskRef(heldBy)] }]),
      { from: refs.remote, to: [refs.local] },
      { from: live, to: [live] },
    ];
    await store.exclusive(async () => {
      for (const place of places) {
        await fetchRef(clone, place, signal);
        if (await hasCommit(store, commit)) return;
      }
      throw gone(commit, remote.branch);
    }, signal);
  }

  return { refs, fetchHead, lastHead: () => readRef(store, refs.local), need };
}

/** The error for a missing branch, which names those that the repository has. */
async function noBranch(clone: Clone, signal?: AbortSignal): Promise<DomainError> {
  const { branches } = await look({ run: clone.store.tryGit }, clone, signal);
  const has =
    branches.length > 0 ? `its branches are ${namesOf(branches, 'branches')}` : 'it is empty';
  const says = `Branch ${clone.remote.branch} not found in the repository: ${has}`;
  return new DomainError('GIT_FAILED', says, { details: { reason: 'branch' } });
}

function gone(commit: string, branch: string): DomainError {
  const what = `Commit ${commit.slice(0, 10)} is gone from the repository`;
  return new DomainError(
    'GIT_FAILED',
    `${what}: branch ${branch} was rewritten, or the ref that had it deleted`,
    {
      details: { gone: commit },
    },
  );
}
