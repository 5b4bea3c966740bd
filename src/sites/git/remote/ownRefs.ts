import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isTaskId } from '../../../contract/task.ts';
import type { GitTransport } from './remoteAccess.ts';
import type { SiteClone } from '../siteClone.ts';
import { gitFailure } from '../command/gitFailure.ts';
import type { GitRunner } from '../command/git.ts';
import { BASES, BRANCHES, checkObjectId, DEPLOYED, taskRef, TASKS } from '../refNames.ts';
import type { CloneStore } from '../clones/cloneStore.ts';
import { remoteName, runPush } from './push.ts';

/*
 * The service's own refs, and which of them are no longer needed. For the names, see `refNames.ts`.
 * - `refs/agent-tasks/<taskId>` (hidden ref), at the remote and in the clone: a task's result
 * - `refs/agent-tasks/base/<taskId>`, in the clone: the commit that a task began from
 * - `refs/agent-tasks/deployed/<commit>`, in the clone: a commit that is or was live
 * - `refs/heads/<taskId>`, at the remote: the branch that an external host builds a preview from
 */

/** Says what sites still need: their running tasks, and the commits that are live. */
export interface SiteNeeds {
  /**
   * The running tasks of each site, and the tasks whose results they build on. Throws UNAVAILABLE.
   */
  runningTasks(siteIds: string[], signal?: AbortSignal): Promise<Map<string, Set<string>>>;
  /** Those of the commits that are live, or were until recently. */
  keptDeployments(siteId: string, commits: string[]): Promise<Set<string>>;
  /** When a result expires, given its commit's time. Both in milliseconds since 1970. */
  resultEnds(committedAt: number): number;
}

/** Lists and removes the service's own refs of one site. */
export interface OwnRefs {
  /** The tasks with hidden refs at the remote, each with its commit. Throws GIT_FAILED. */
  tasksAtRemote(signal?: AbortSignal): Promise<Map<string, string>>;
  /** The tasks with branches at the remote. Throws GIT_FAILED. */
  branchesAtRemote(signal?: AbortSignal): Promise<string[]>;
  /**
   * Removes hidden refs of tasks at the remote, if they are still at these commits, and then here.
   * @param tasks the expected commit of each task
   * @returns the tasks whose refs are gone
   * @throws DomainError GIT_FAILED
   */
  removeTasks(tasks: Map<string, string>, signal?: AbortSignal): Promise<string[]>;
  /**
   * Removes unneeded refs from the clone: bases of ended tasks, expired results, and commits that
   * are no longer live. Does nothing if there is no clone.
   */
  tidy(needs: SiteNeeds, signal?: AbortSignal): Promise<void>;
}

/** Refs that one push removes. Its arguments name all of them. */
const REMOVED_AT_ONCE = 500;
/** Bytes of a remote's list of refs: enough for 200,000 refs. */
const LIST_BYTES = 16 * 1024 ** 2;
/** The list of running tasks may not contain a task that has just begun. */
const NEW_MS = 5 * 60_000;

/**
 * Makes the functions that list and remove a site's own refs.
 * @param git runs commands outside of the clone, which may not exist yet
 */
export function createOwnRefs(git: Pick<GitRunner, 'run'>, clone: SiteClone): OwnRefs {
  async function refsAtRemote(prefix: string, signal?: AbortSignal) {
    const { remote } = clone;
    const args = ['ls-remote', '--refs', '--', remote.url, `${prefix}*`];
    const runList = (transport: GitTransport) =>
      git.run({ args, ...transport, maxBytes: LIST_BYTES, signal });
    const result = await clone.connect(remote, runList);
    if (result.code !== 0) throw gitFailure(`Listing the refs of ${remoteName(remote)}`, result);
    return parseTaskRefs(result.stdout.toString(), prefix);
  }
  return {
    tasksAtRemote: (signal) => refsAtRemote(TASKS, signal),
    branchesAtRemote: async (signal) => [...(await refsAtRemote(BRANCHES, signal)).keys()],

    async removeTasks(tasks, signal) {
      const removed: string[] = [];
      const allTasks = [...tasks];
      for (let start = 0; start < allTasks.length; start += REMOVED_AT_ONCE) {
        const chunk = allTasks.slice(start, start + REMOVED_AT_ONCE);
        removed.push(
          ...(await clone.store.exclusive(() => removeTaskRefs(clone, chunk, signal), signal)),
        );
      }
      return removed;
    },

    async tidy(needs, signal) {
      if (!existsSync(clone.store.dir)) return;
      const refs = await listRefs(clone, signal);
      const unneeded = [
        ...(await findEndedBases(clone, refs, needs, signal)),
        ...(await findOldDeployments(clone, refs, needs)),
        ...refs.filter(({ name, date }) => isTaskRef(name) && needs.resultEnds(date) < Date.now()),
      ].map(({ name }) => name);
      if (unneeded.length > 0)
        await clone.store.exclusive(() => removeLocalRefs(clone, unneeded, signal), signal);
    },
  };
}

/**
 * Whether the clone has the base ref of any task. Such a clone should stay, because it may be the
 * only repository that has the commit from which a running task began.
 */
export const hasBaseRefs = async (store: CloneStore) =>
  (await store.git(['for-each-ref', '--count=1', BASES])) !== '';

/** Parses lines of `<id>\t<ref>`. Ignores other refs below the prefix. */
function parseTaskRefs(list: string, prefix: string): Map<string, string> {
  const tasks = new Map<string, string>();
  for (const line of list.split('\n')) {
    const [id = '', ref = ''] = line.split('\t');
    if (isTaskRef(ref, prefix)) tasks.set(ref.slice(prefix.length), checkObjectId(id));
  }
  return tasks;
}

const isTaskRef = (ref: string, prefix = TASKS) =>
  ref.startsWith(prefix) && isTaskId(ref.slice(prefix.length));

async function removeTaskRefs(
  clone: SiteClone,
  tasks: [string, string][],
  signal?: AbortSignal,
): Promise<string[]> {
  const { remote } = clone;
  const leases = tasks.map(([taskId, commit]) => `--force-with-lease=${taskRef(taskId)}:${commit}`);
  const refs = tasks.map(([taskId]) => `:${taskRef(taskId)}`);
  const result = await runPush(clone, { args: leases, refs }, signal);
  const lines = result.stdout.toString().split('\n');
  const answerLines = lines.filter((line) => line.startsWith('-\t:') || line.startsWith('!\t'));
  if (answerLines.length === 0 || answerLines.some((line) => line.includes('\t[remote failure]')))
    throw gitFailure(`Removing refs of ${remoteName(remote)}`, result);
  const removedRefs = new Set(
    answerLines.flatMap((line) => (line.startsWith('-') ? line.split('\t')[1]!.slice(1) : [])),
  );
  const removed = tasks
    .filter(([taskId]) => removedRefs.has(taskRef(taskId)))
    .map(([taskId]) => taskId);
  await removeLocalRefs(clone, removed.map(taskRef), signal);
  return removed;
}

interface DatedRef {
  name: string;
  /** When the commit was committed, in milliseconds since 1970. */
  date: number;
}

async function listRefs({ store }: SiteClone, signal?: AbortSignal): Promise<DatedRef[]> {
  const args = ['for-each-ref', '--format=%(refname) %(committerdate:unix)', TASKS];
  const lines = (await store.git(args, { signal })).split('\n').filter(Boolean);
  return lines.map((line) => {
    const [name = '', seconds] = line.split(' ');
    return { name, date: Number(seconds) * 1_000 };
  });
}

async function findEndedBases(
  { store, owned }: SiteClone,
  refs: DatedRef[],
  needs: SiteNeeds,
  signal?: AbortSignal,
): Promise<DatedRef[]> {
  const bases = refs.filter(({ name }) => name.startsWith(BASES));
  if (bases.length === 0) return [];
  const { siteId } = owned;
  const runningTasks = (await needs.runningTasks([siteId], signal)).get(siteId) ?? new Set();
  const isOld = async ({ name }: DatedRef) => {
    const fileStats = await stat(join(store.dir, name)).catch(() => null); // a packed ref is old
    return fileStats === null || fileStats.mtimeMs < Date.now() - NEW_MS;
  };
  const endedRefs = bases.filter(({ name }) => !runningTasks.has(name.slice(BASES.length)));
  const areOld = await Promise.all(endedRefs.map(isOld));
  return endedRefs.filter((_, index) => areOld[index]);
}

async function findOldDeployments(
  { owned }: SiteClone,
  refs: DatedRef[],
  needs: SiteNeeds,
): Promise<DatedRef[]> {
  const commitOf = ({ name }: DatedRef) => name.slice(DEPLOYED.length);
  const deployedRefs = refs.filter(({ name }) => name.startsWith(DEPLOYED));
  if (deployedRefs.length === 0) return [];
  const keptCommits = await needs.keptDeployments(owned.siteId, deployedRefs.map(commitOf));
  return deployedRefs.filter((ref) => !keptCommits.has(commitOf(ref)));
}

async function removeLocalRefs(
  { store }: SiteClone,
  refs: string[],
  signal?: AbortSignal,
): Promise<void> {
  if (refs.length === 0) return;
  const input = refs.map((ref) => `delete ${ref}\n`).join('');
  await store.git(['update-ref', '--no-deref', '--stdin'], { input, signal });
}
