import { createAncestry, rewritten } from './ancestry.ts';
import type { Clone } from './clone.ts';
import { diff } from './diff.ts';
import { isAncestor, mergeBase, readCommit, readRef, summaryOf } from './history.ts';
import { baseRef, BASES, checkObjectId, checkPath, DEPLOYED, taskRef } from './refNames.ts';
import { commitEdit } from './editCommit.ts';
import { lastChanges } from './lastChanges.ts';
import { isMadeByTask, madeByTasks } from './madeByTasks.ts';
import { conflictsWith } from './mergeCommit.ts';
import { createProduction, type Production } from './production.ts';
import { publish } from './publish.ts';
import { bringUpToDate, pushBranch, removeBranches } from './taskBranches.ts';
import { setLive } from './pushLive.ts';
import type { Repository } from './repository.ts';
import type { Store } from './store.ts';
import {
  commitOnto,
  commitRestoring,
  commitTask,
  commitTheirs,
  fetchParts,
  fetchResult,
  findTaskCommit,
  pushParts,
} from './taskCommit.ts';
import type { Caller } from './batchedWork.ts';
import { readKnown } from './readTree.ts';

/** One site's repository on this machine, in step with its remote. */
export function createRepository(clone: Clone): Repository {
  const production = createProduction(clone);
  const tree: Repository['tree'] = async (held, signal) => {
    const known = clone.trees.get(held.commit);
    if (known) return known;
    await production.need(held, signal);
    return readKnown(clone, held.commit, signal);
  };
  return { tree, ...reading(clone, production), ...writing(clone, production, tree) };
}

type Writing =
  | 'fetchBase'
  | 'commitTask'
  | 'commitPart'
  | 'commitTheirs'
  | 'pushParts'
  | 'fetchParts'
  | 'commitRestoring'
  | 'commitEdit'
  | 'publish'
  | 'pushBranch'
  | 'removeBranches'
  | 'bringUpToDate'
  | 'hold'
  | 'keepLive';

function reading(clone: Clone, production: Production): Omit<Repository, Writing | 'tree'> {
  const { store } = clone;
  const { lastHead, need } = production;
  const fetchHead = (signal?: AbortSignal) => fetchBase(clone, production, null, signal);
  return {
    async diff(before, after, { maxBytes, signal }) {
      await need(after, signal);
      await need(before, signal);
      return diff(clone, before.commit, after.commit, { maxBytes, signal });
    },

    lastChanges: (commit, signal) => lastChanges(clone, commit, signal),
    blob: (id) => store.objects.read(id),
    writeBlob: clone.writeBlob,
    fetchHead,
    lastHead,
    summary: (commit) => summaryOf(store, checkObjectId(commit)),
    fetchResult: (result, signal) =>
      store.exclusive(() => fetchResult(clone, result, signal), signal),

    async fetchMergeBase(root, result, signal) {
      await need(result, signal);
      const head = await fetchHead(signal);
      if (!(await isAncestor(store, root, head, signal))) throw rewritten();
      return mergeBase(store, head, result.commit, signal);
    },

    async isMadeByTask(held, path, signal) {
      await need(held, signal);
      return isMadeByTask(clone, held.commit, checkPath(path), signal);
    },

    async madeByTasks(held, paths, signal) {
      await need(held, signal);
      return madeByTasks(clone, held, paths.map(checkPath), signal);
    },

    async conflicts(request, head, signal) {
      await need(request, signal);
      const { base: root, commit } = request;
      const base = await createAncestry(store, head, signal).mergeBase(head, { root, commit });
      if (base === commit || base === head) return [];
      return conflictsWith(clone, head, { ...request, base }, signal);
    },

    findTaskCommit: (taskId, base, signal) =>
      store.exclusive(() => findTaskCommit(clone, { taskId, base }, signal), signal),

    async isAncestor(ancestor, held, signal) {
      await need(ancestor, signal);
      await need(held, signal);
      return isAncestor(store, ancestor.commit, held.commit, signal);
    },
  };
}

function writing(
  clone: Clone,
  production: Production,
  tree: Repository['tree'],
): Pick<Repository, Writing> {
  const { store } = clone;
  const { need } = production;
  return {
    async fetchBase(taskId, onto, signal) {
      const ref = baseRef(taskId);
      if (!onto) return fetchBase(clone, production, ref, signal);
      return store.exclusive(async () => {
        const base = (await readRef(store, ref)) ?? (await fetchResult(clone, onto, signal));
        await store.setRefs({ [ref]: base }, signal);
        return base;
      }, signal);
    },

    async commitTask(task, signal) {
      const base = await tree(task.base, signal);
      return commitTask(clone, task, base, signal);
    },

    async commitPart(part, signal) {
      const base = await tree(part.base, signal);
      return (await commitOnto(clone, base, part, signal)) ?? base.commit;
    },

    async commitTheirs({ base: own, theirs: others, ...part }, signal) {
      const [base, theirs] = await Promise.all([tree(own, signal), tree(others, signal)]);
      return commitTheirs(clone, part, { base, theirs });
    },

    pushParts: (move, signal) => pushParts(clone, move, signal),
    fetchParts: (batch, signal) => fetchParts(clone, batch, signal),

    async commitRestoring(task, signal) {
      const base = await tree(task.base, signal);
      const earlier = await tree(task.earlier, signal);
      return commitRestoring(clone, task, { base, earlier }, signal);
    },

    async commitEdit(edit, signal) {
      const parent = await tree({ commit: edit.parent, heldBy: edit.taskId }, signal);
      return commitEdit(clone, edit, parent, signal);
    },

    async publish(request, signal, others = []) {
      await need(request, signal);
      await Promise.allSettled(others.map((other) => need(other, signal)));
      return publish(clone, production, [request, ...others], signal);
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

    async hold(held, signal) {
      await need(held, signal);
      const { commit } = held;
      await store.exclusive(() => store.setRefs({ [DEPLOYED + commit]: commit }, signal), signal);
    },

    async keepLive(held, signal) {
      await need(held, signal);
      await store.exclusive(() => setLive(clone, held.commit, signal), signal);
    },
  };
}

/**
 * The commit that a task began from; null if the task has not read its site yet. After the task's
 * commit, this is that commit's parent. So a workflow that an operator resets finds the same base.
 * @param ref holds the base until the task has a commit
 */
async function heldBase(store: Store, ref: string): Promise<string | null> {
  const held = await readRef(store, ref);
  if (held !== null) return held;
  const taskId = ref.slice(BASES.length);
  const own = await readRef(store, taskRef(taskId));
  const commit = own === null ? null : await readCommit(store, own);
  return commit?.taskId === taskId && commit.parents.length === 1 ? commit.parents[0]! : null;
}

/**
 * The production head, by one fetch for all callers that wait for the lock. For a task, the commit
 * that `ref` already holds, else the head.
 * @param ref holds the commit for a task; null: the call is for no task
 */
function fetchBase(
  clone: Clone,
  { fetchHead }: Production,
  ref: string | null,
  signal?: AbortSignal,
): Promise<string> {
  const { store, remote } = clone;
  const fetchAll = async (callers: Caller<string | null>[], end: AbortSignal) => {
    const refs = callers.map(({ argument }) => argument);
    const held = await Promise.all(
      refs.map(async (own) => (own === null ? null : heldBase(store, own))),
    );
    const missing = refs.filter((own, at): own is string => own !== null && held[at] === null);
    const head = held.includes(null) ? await fetchHead(end, missing) : null;
    return held.map((commit) => ({ status: 'fulfilled' as const, value: commit ?? head! }));
  };
  return store.batched(`fetch ${remote.url} ${remote.branch}`, ref, fetchAll, signal);
}
