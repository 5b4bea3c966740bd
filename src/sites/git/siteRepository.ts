import type { Repository } from './repository.ts';
import { type Clone, prefixOf } from './clone.ts';
import { diff } from './diff.ts';
import { isAncestor, isMadeByTask, mergeBase, readRef } from './history.ts';
import { baseRef, checkPath, DEPLOYED } from './names.ts';
import { commitEdit } from './editCommit.ts';
import { createProduction, type Production } from './production.ts';
import { publish } from './publish.ts';
import { setLive } from './pushLive.ts';
import type { Store } from './store.ts';
import { commitTask, fetchResult, findTaskCommit } from './taskCommit.ts';
import type { KnownTrees } from './knownTrees.ts';
import { readTree } from './tree.ts';

/** One site's repository on this machine, in step with its remote. */
export function createRepository(clone: Clone, trees: KnownTrees): Repository {
  const production = createProduction(clone);
  return { ...reading(clone, production, trees), ...writing(clone, production) };
}

type Writing = 'fetchBase' | 'commitTask' | 'commitEdit' | 'publish' | 'hold' | 'keepLive';

function reading(
  clone: Clone,
  { fetchHead, lastHead, need }: Production,
  trees: KnownTrees,
): Omit<Repository, Writing> {
  const { store } = clone;
  return {
    async tree(held, signal) {
      const known = trees.get(held.commit);
      if (known) return known;
      await need(held, signal);
      return trees.read(held.commit, (end) => readTree(clone, held.commit, end), signal);
    },

    async diff(before, after, { maxBytes, signal }) {
      await need(after, signal);
      await need(before, signal);
      return diff(clone, before.commit, after.commit, { maxBytes, signal });
    },

    blob: (id) => store.blobs.read(id),
    writeBlob: clone.writeBlob,
    fetchHead: (signal) => store.exclusive(() => fetchHead(signal), signal),
    lastHead,
    fetchResult: (result, signal) => store.exclusive(() => fetchResult(clone, result, signal), signal),

    async fetchMergeBase(root, result, signal) {
      await need(result, signal);
      const head = await store.exclusive(() => fetchHead(signal), signal);
      return mergeBase(store, { root, commit: result.commit, head }, signal);
    },

    async isMadeByTask(held, path, signal) {
      await need(held, signal);
      return isMadeByTask(store, held.commit, prefixOf(clone) + checkPath(path), signal);
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

function writing(clone: Clone, { fetchHead, need }: Production): Pick<Repository, Writing> {
  const { store, fetching, owned } = clone;
  /** Work that writes objects of our own into the copy. */
  const write = <T>(work: () => Promise<T>, signal?: AbortSignal) =>
    store.exclusive(() => work().finally(() => fetching.usage.changed(owned.siteId)), signal);
  return {
    fetchBase: (taskId, onto, signal) =>
      store.exclusive(
        () => holdBase(store, taskId, () => (onto ? fetchResult(clone, onto, signal) : fetchHead(signal)), signal),
        signal,
      ),

    async commitTask(task, signal) {
      await need(task.base, signal);
      return write(() => commitTask(clone, task, signal), signal);
    },

    async commitEdit(edit, signal) {
      await need({ commit: edit.parent, heldBy: edit.taskId }, signal);
      return write(() => commitEdit(clone, edit, signal), signal);
    },

    async publish(request, signal) {
      await need(request, signal);
      return write(() => publish(clone, request, () => fetchHead(signal), signal), signal);
    },

    async hold(held, signal) {
      await need(held, signal);
      const { commit } = held;
      const args = ['update-ref', DEPLOYED + commit, commit];
      await store.exclusive(() => store.git(args, { signal }), signal);
    },

    async keepLive(held, signal) {
      await need(held, signal);
      await store.exclusive(() => setLive(clone, held.commit, signal), signal);
    },
  };
}

/** The commit that a task begins from: the one that is held for it already, else the one that is found now. */
async function holdBase(
  store: Store,
  taskId: string,
  find: () => Promise<string>,
  signal?: AbortSignal,
): Promise<string> {
  const ref = baseRef(taskId);
  const held = await readRef(store, ref, signal);
  if (held !== null) return held;
  const base = await find();
  await store.git(['update-ref', ref, base], { signal });
  return base;
}
