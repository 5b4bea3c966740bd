import { createAncestry, rewrittenBranchError } from './history/ancestry.ts';
import type { SiteClone } from './siteClone.ts';
import { diffCommits } from './history/diffCommits.ts';
import {
  isAncestor,
  mergeBase,
  readCommit,
  readRef,
  readCommitSummary,
} from './history/commits.ts';
import { baseRef, BASES, checkObjectId, checkPath, DEPLOYED, taskRef } from './refNames.ts';
import { commitEdit, commitUpdate } from './commits/commitEdit.ts';
import { readCurrentVersion } from './history/currentVersion.ts';
import { readLastChanges } from './history/lastChanges.ts';
import { readResultVersions } from './history/versions.ts';
import { isMadeByTask, findTaskMadeFiles } from './history/taskMadeFiles.ts';
import { conflictsWith } from './commits/mergeCommit.ts';
import { createProduction, type ProductionBranch } from './remote/productionBranch.ts';
import { publishResults } from './commits/publishResults.ts';
import { bringUpToDate, pushBranch, removeBranches } from './remote/taskBranches.ts';
import { setLive } from './remote/pushLive.ts';
import type { GitRepository } from './repository.ts';
import type { CloneStore } from './clones/cloneStore.ts';
import {
  commitOnTree,
  commitRestoring,
  commitTask,
  commitProductionVersions,
  fetchBatchRef,
  fetchResult,
  findTaskCommit,
  pushBatchRef,
} from './commits/taskCommit.ts';
import type { CoalescedCaller } from './clones/coalescedWork.ts';
import { readCachedTree } from './trees/readTree.ts';

/**
 * Opens the repository of one site: its clone on this machine, and its remote. Each method first
 * fetches the commits that it needs and that are missing in the clone.
 */
export function createGitRepository(clone: SiteClone): GitRepository {
  const production = createProduction(clone);
  const tree: GitRepository['tree'] = async (retainedCommit, signal) => {
    const cachedTree = clone.trees.get(retainedCommit.commit);
    if (cachedTree) return cachedTree;
    await production.need(retainedCommit, signal);
    return readCachedTree(clone, retainedCommit.commit, signal);
  };
  return {
    tree,
    ...createReadMethods(clone, production),
    ...createWriteMethods(clone, production, tree),
  };
}

type WriteMethod =
  | 'fetchBase'
  | 'commitTask'
  | 'commitBatch'
  | 'commitProductionVersions'
  | 'pushBatch'
  | 'fetchBatch'
  | 'commitRestoring'
  | 'commitEdit'
  | 'commitUpdate'
  | 'publish'
  | 'pushBranch'
  | 'removeBranches'
  | 'bringUpToDate'
  | 'hold'
  | 'keepLive';

function createReadMethods(
  clone: SiteClone,
  production: ProductionBranch,
): Omit<GitRepository, WriteMethod | 'tree'> {
  const { store } = clone;
  const { lastHead, need } = production;
  const fetchHead = (signal?: AbortSignal) => fetchBase(clone, production, null, signal);
  return {
    async diff(before, after, { maxBytes, signal }) {
      await need(after, signal);
      await need(before, signal);
      return diffCommits(clone, before.commit, after.commit, { maxBytes, signal });
    },

    lastChanges: (commit, signal) => readLastChanges(clone, commit, signal),
    blob: (id) => store.objects.read(id),
    writeBlob: clone.writeBlob,
    fetchHead,
    lastHead,
    summary: (commit) => readCommitSummary(store, checkObjectId(commit)),
    fetchResult: (result, signal) =>
      store.exclusive(() => fetchResult(clone, result, signal), signal),
    currentVersion: (result, signal) =>
      store.exclusive(() => readCurrentVersion(clone, result, signal), signal),

    async fetchMergeBase(root, result, signal) {
      await need(result, signal);
      const headCommit = await fetchHead(signal);
      if (!(await isAncestor(store, root, headCommit, signal))) throw rewrittenBranchError();
      return mergeBase(store, headCommit, result.commit, signal);
    },

    async isMadeByTask(retainedCommit, path, signal) {
      await need(retainedCommit, signal);
      return isMadeByTask(clone, retainedCommit.commit, checkPath(path), signal);
    },

    async madeByTasks(retainedCommit, paths, signal) {
      await need(retainedCommit, signal);
      return findTaskMadeFiles(clone, retainedCommit, paths.map(checkPath), signal);
    },

    async conflicts(request, headCommit, signal) {
      await need(request, signal);
      const { base: root, commit } = request;
      const base = await createAncestry(store, headCommit, signal).mergeBase(headCommit, {
        root,
        commit,
      });
      if (base === commit || base === headCommit) return [];
      return conflictsWith(clone, headCommit, { ...request, base }, signal);
    },

    async versions(result, tip, signal) {
      await need({ commit: tip, retainedBy: result.retainedBy }, signal);
      return readResultVersions(clone, result, tip, signal);
    },

    findTaskCommit: (taskId, base, signal) =>
      store.exclusive(() => findTaskCommit(clone, { taskId, base }, signal), signal),

    async isAncestor(ancestor, retainedCommit, signal) {
      await need(ancestor, signal);
      await need(retainedCommit, signal);
      return isAncestor(store, ancestor.commit, retainedCommit.commit, signal);
    },
  };
}

function createWriteMethods(
  clone: SiteClone,
  production: ProductionBranch,
  tree: GitRepository['tree'],
): Pick<GitRepository, WriteMethod> {
  const { store } = clone;
  const { need } = production;
  return {
    async fetchBase(taskId, baseResult, signal) {
      const ref = baseRef(taskId);
      if (!baseResult) return fetchBase(clone, production, ref, signal);
      return store.exclusive(async () => {
        const base = (await readRef(store, ref)) ?? (await fetchResult(clone, baseResult, signal));
        await store.setRefs({ [ref]: base }, signal);
        return base;
      }, signal);
    },

    async commitTask(task, signal) {
      const base = await tree(task.base, signal);
      return commitTask(clone, task, base, signal);
    },

    async commitBatch(batchCommit, signal) {
      const base = await tree(batchCommit.base, signal);
      return (await commitOnTree(clone, base, batchCommit, signal)) ?? base.commit;
    },

    async commitProductionVersions(
      { base: baseCommit, theirs: productionCommit, ...batchCommit },
      signal,
    ) {
      const [base, theirs] = await Promise.all([
        tree(baseCommit, signal),
        tree(productionCommit, signal),
      ]);
      return commitProductionVersions(clone, batchCommit, { base, theirs });
    },

    pushBatch: (move, signal) => pushBatchRef(clone, move, signal),
    fetchBatch: (batch, signal) => fetchBatchRef(clone, batch, signal),

    async commitRestoring(task, signal) {
      const base = await tree(task.base, signal);
      const earlier = await tree(task.earlier, signal);
      return commitRestoring(clone, task, { base, earlier }, signal);
    },

    async commitEdit(edit, signal) {
      const { taskId, changes } = edit;
      const treeOf = (commit: string) => tree({ commit, retainedBy: taskId }, signal);
      const parent = await treeOf(edit.parent);
      const restored = 'restored' in changes ? await treeOf(changes.restored) : undefined;
      return commitEdit(clone, edit, { parent, restored }, signal);
    },

    async commitUpdate(update, signal) {
      await need({ commit: update.parent, retainedBy: update.taskId }, signal);
      await need(update, signal);
      return commitUpdate(clone, update, signal);
    },

    async publish(request, signal, otherRequests = []) {
      await need(request, signal);
      await Promise.allSettled(otherRequests.map((otherRequest) => need(otherRequest, signal)));
      return publishResults(clone, production, [request, ...otherRequests], signal);
    },

    async pushBranch(result, signal) {
      await need(result, signal);
      await pushBranch(clone, result, signal);
    },

    removeBranches: (taskIds, signal) => removeBranches(clone, taskIds, signal),

    async bringUpToDate(request, signal) {
      await need(request, signal);
      return bringUpToDate(clone, production, request, signal);
    },

    async hold(retainedCommit, signal) {
      await need(retainedCommit, signal);
      const { commit } = retainedCommit;
      await store.exclusive(() => store.setRefs({ [DEPLOYED + commit]: commit }, signal), signal);
    },

    async keepLive(retainedCommit, signal) {
      await need(retainedCommit, signal);
      await store.exclusive(() => setLive(clone, retainedCommit.commit, signal), signal);
    },
  };
}

/**
 * The commit that a task began from; null if the task has not read its site yet. Once the task has
 * a commit, its base is this commit's parent, so a workflow that an operator resets finds it too.
 * @param ref the task's base ref, which exists until the task has a commit
 */
async function readHeldBase(store: CloneStore, ref: string): Promise<string | null> {
  const heldCommit = await readRef(store, ref);
  if (heldCommit !== null) return heldCommit;
  const taskId = ref.slice(BASES.length);
  const taskHead = await readRef(store, taskRef(taskId));
  const commit = taskHead === null ? null : await readCommit(store, taskHead);
  return commit?.taskId === taskId && commit.parents.length === 1 ? commit.parents[0]! : null;
}

/**
 * Finds the commit to begin from: the one that the task's base ref already has, or else the head of
 * the production branch, which the ref then keeps. One fetch serves all callers that wait for the
 * lock.
 * @param ref the task's base ref; null if the head is not for a task
 */
function fetchBase(
  clone: SiteClone,
  { fetchHead }: ProductionBranch,
  ref: string | null,
  signal?: AbortSignal,
): Promise<string> {
  const { store, remote } = clone;
  const fetchForAll = async (callers: CoalescedCaller<string | null>[], endSignal: AbortSignal) => {
    const refs = callers.map(({ argument }) => argument);
    const heldBases = await Promise.all(
      refs.map(async (callerRef) => (callerRef === null ? null : readHeldBase(store, callerRef))),
    );
    const missingRefs = refs.filter(
      (callerRef, index): callerRef is string => callerRef !== null && heldBases[index] === null,
    );
    const headCommit = heldBases.includes(null) ? await fetchHead(endSignal, missingRefs) : null;
    return heldBases.map((commit) => ({
      status: 'fulfilled' as const,
      value: commit ?? headCommit!,
    }));
  };
  return store.batched(`fetch ${remote.url} ${remote.branch}`, ref, fetchForAll, signal);
}
