import type { RetainedCommitRef } from '../../../contract/site.ts';
import { listFirstNames } from '../../../contract/text/summaries.ts';
import { DomainError } from '../../../errors.ts';
import type { SiteClone } from '../siteClone.ts';
import { hasCommit, readRef } from '../history/commits.ts';
import { checkObjectId, liveRef, taskRef } from '../refNames.ts';
import { fetchRef } from './fetchRef.ts';
import { listBranches } from './remoteBranches.ts';

/** Fetches a site's production branch, and single commits that are missing in the clone. */
export interface ProductionBranch {
  /** The branch's ref at the remote, and its ref in the clone. */
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
   * Makes sure that the clone has a commit. If the commit is missing, fetches the hidden ref of the
   * task that retains it (`retainedBy`), then the branch, then the ref of the live commit, until
   * the commit is there. Throws GIT_FAILED if none of them has it.
   */
  need: (retainedCommit: RetainedCommitRef, signal?: AbortSignal) => Promise<void>;
}

/** Makes the functions that fetch the production branch of one site. */
export function createProduction(clone: SiteClone): ProductionBranch {
  const { store, remote } = clone;
  const refs = {
    remote: `refs/heads/${remote.branch}`,
    local: `refs/remotes/origin/${remote.branch}`,
  };

  async function fetchHead(signal?: AbortSignal, holders: string[] = []): Promise<string> {
    const headCommit = await fetchRef(
      clone,
      { from: refs.remote, to: [refs.local, ...holders] },
      signal,
    );
    if (headCommit === null) throw await findMissingBranch(clone, signal);
    return headCommit;
  }

  async function need(
    { commit, retainedBy }: RetainedCommitRef,
    signal?: AbortSignal,
  ): Promise<void> {
    if (await hasCommit(store, checkObjectId(commit))) return;
    const live = liveRef(clone.owned.siteId);
    const sources = [
      ...(retainedBy === null ? [] : [{ from: taskRef(retainedBy), to: [taskRef(retainedBy)] }]),
      { from: refs.remote, to: [refs.local] },
      { from: live, to: [live] },
    ];
    await store.exclusive(async () => {
      for (const source of sources) {
        await fetchRef(clone, source, signal);
        if (await hasCommit(store, commit)) return;
      }
      throw lostCommitError(commit, remote.branch);
    }, signal);
  }

  return { refs, fetchHead, lastHead: () => readRef(store, refs.local), need };
}

/** The error for a missing branch. It names the branches that the repository has. */
async function findMissingBranch(clone: SiteClone, signal?: AbortSignal): Promise<DomainError> {
  const { branches } = await listBranches({ run: clone.store.tryGit }, clone, signal);
  return missingBranchError(clone.remote.branch, branches);
}

export function missingBranchError(branch: string, branches: string[]): DomainError {
  const has =
    branches.length > 0
      ? `its branches are ${listFirstNames(branches, 'branches')}`
      : 'it is empty';
  const message = `Branch ${branch} not found in the repository: ${has}`;
  return new DomainError('GIT_FAILED', message, { details: { reason: 'branch' } });
}

function lostCommitError(commit: string, branch: string): DomainError {
  const subject = `The repository no longer contains commit ${commit.slice(0, 10)}`;
  return new DomainError(
    'GIT_FAILED',
    `${subject}: the branch ${branch} was rewritten, or the ref of the commit was deleted`,
    {
      details: { gone: commit },
    },
  );
}
