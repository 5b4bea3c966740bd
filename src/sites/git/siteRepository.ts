import type { Repository, Tree } from './repository.ts';
import { diff } from './diff.ts';
import { isAncestor, isMadeByTask, mergeBase, readRef } from './history.ts';
import { checkPath } from './names.ts';
import { commitEdit } from './editCommit.ts';
import { createProduction } from './production.ts';
import { publish } from './publish.ts';
import type { Remote } from './remote.ts';
import type { Store } from './store.ts';
import { commitTask, fetchResult, findTaskCommit, taskRef } from './taskCommit.ts';
import { readTree, type SiteLimits } from './tree.ts';

export interface RepositoryParts {
  store: Store;
  remote: Remote;
  root: string;
  siteLimits: SiteLimits;
  trees: { get(commit: string): Tree | undefined; set(commit: string, tree: Tree): void };
}

/**
 * One site's repository on this machine, in step with its remote.
 * @param parts.root '' or the folder of the site's pages
 */
export function createRepository({ store, remote, root, siteLimits, trees }: RepositoryParts): Repository {
  const { fetchHead, lastHead, need } = createProduction(store, remote, siteLimits.siteBytes);

  async function tree(commit: string, ref?: string): Promise<Tree> {
    const known = trees.get(commit);
    if (known) return known;
    await need(commit, ref);
    const read = await readTree(store, commit, root, siteLimits);
    trees.set(commit, read);
    return read;
  }

  return {
    tree,
    fetchHead: (signal) => store.exclusive(() => fetchHead(signal), signal),
    lastHead,
    async diff(before, after, { ref, maxBytes }) {
      await need(after, ref);
      await need(before, ref);
      return diff(store, before, after, maxBytes);
    },

    blob: (id) => store.blobs.read(id),

    fetchBase: (taskId, onto, signal) =>
      store.exclusive(
        () => holdBase(store, taskId, () => (onto ? fetchResult(store, remote, onto, signal) : fetchHead(signal))),
        signal,
      ),

    fetchResult: (result, signal) => store.exclusive(() => fetchResult(store, remote, result, signal), signal),

    async fetchMergeBase(root, commit, signal) {
      const head = await store.exclusive(() => fetchHead(signal), signal);
      return mergeBase(store, { root, commit, head });
    },

    async isMadeByTask(commit, path) {
      await need(commit);
      return isMadeByTask(store, commit, root === '' ? checkPath(path) : `${root}/${checkPath(path)}`);
    },

    findTaskCommit: (taskId, base, signal) =>
      store.exclusive(() => findTaskCommit(store, remote, { taskId, base }, signal), signal),

    async commitTask(task, signal) {
      await need(task.base, undefined, signal);
      return store.exclusive(() => commitTask(store, remote, root, task, signal), signal);
    },

    async commitEdit(edit, signal) {
      await need(edit.parent, taskRef(edit.taskId), signal);
      return store.exclusive(() => commitEdit(store, remote, root, edit, signal), signal);
    },

    async publish(request, signal) {
      await need(request.commit, taskRef(request.heldBy ?? request.taskId), signal);
      return store.exclusive(() => publish(store, remote, root, request, () => fetchHead(signal), signal), signal);
    },

    async hold(commit) {
      await need(commit);
      await store.exclusive(() => store.git(['update-ref', `refs/agent-tasks/deployed/${commit}`, commit]));
    },

    async isAncestor(ancestor, commit) {
      await need(ancestor);
      await need(commit);
      return isAncestor(store, ancestor, commit);
    },
  };
}

/** The commit that a task begins from: the one that is held for it already, else the one that is found now. */
async function holdBase(store: Store, taskId: string, find: () => Promise<string>): Promise<string> {
  const ref = taskRef(taskId).replace('agent-tasks/', 'agent-tasks/base/');
  const held = await readRef(store, ref);
  if (held !== null) return held;
  const base = await find();
  await store.git(['update-ref', ref, base]);
  return base;
}
