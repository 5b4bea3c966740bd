import { DomainError } from '../../../errors.ts';
import { gitFailure } from '../command/gitFailure.ts';
import type { CloneStore } from '../clones/cloneStore.ts';

/** Whether a commit is in the clone. */
export const hasCommit = async (store: CloneStore, id: string) =>
  (await store.find('commit', id)) !== null;

/** The commit that a ref of the clone points to; null if the ref does not exist. */
export const readRef = async (store: CloneStore, ref: string) =>
  (await store.find('commit', ref))?.id ?? null;

/** Commits that `isAncestor` reads itself before it asks git. */
const MAX_WALKED_COMMITS = 100;

/** Whether `ancestor` is `commit` or in its history. */
export async function isAncestor(
  store: CloneStore,
  ancestor: string,
  commit: string,
  signal?: AbortSignal,
): Promise<boolean> {
  let current: string | undefined = commit;
  for (let steps = 0; current !== undefined && steps < MAX_WALKED_COMMITS; steps++) {
    if (current === ancestor) return true;
    const { parents } = await readCommit(store, current);
    if (parents.includes(ancestor)) return true;
    current = parents[0];
  }
  const result = await store.tryGit({
    args: ['merge-base', '--is-ancestor', ancestor, commit],
    signal,
  });
  if (result.code < 0 || result.code > 1) throw gitFailure('Comparing two commits', result);
  return result.code === 0;
}

/** The latest common ancestor of two commits. */
export const mergeBase = async (
  store: CloneStore,
  commit: string,
  otherCommit: string,
  signal?: AbortSignal,
): Promise<string> => (await store.git(['merge-base', commit, otherCommit], { signal })).trim();

/**
 * The merge commits between a commit and one of its descendants, oldest first.
 * @param descendant the id of the descendant
 */
export async function listMerges(
  store: CloneStore,
  commit: string,
  descendant: string,
  signal?: AbortSignal,
): Promise<string[]> {
  const args = ['rev-list', '--reverse', '--merges', '--ancestry-path', `${commit}..${descendant}`];
  return (await store.git(args, { signal })).split('\n').filter(Boolean);
}

/** A commit, as far as the service needs it. */
export interface GitCommit {
  /** The id of the tree object of the repository's root. */
  tree: string;
  parents: string[];
  /** The task of the trailer `Agent-Task` in the message's last line; null if there is none. */
  taskId: string | null;
  /** The task of the trailer `Agent-Task-Edit`, which an edit by hand changes; else null. */
  editOf: string | null;
}

/** A commit's summary for people. */
export interface CommitSummary {
  /** When it was committed, as ISO 8601, UTC. */
  at: string;
  /** The first line of its message, at most 200 characters. */
  message: string;
  /** The task that made it, or that it edits. */
  taskId: string | null;
}

/** A commit's time as ISO 8601. Seconds out of range count as 1970. */
export function commitTime(seconds = ''): string {
  const date = new Date(/^\d{1,12}$/.test(seconds) ? Number(seconds) * 1000 : 0);
  return (Number.isNaN(date.getTime()) ? new Date(0) : date).toISOString();
}

const SUMMARY_BYTES = 2_000;
const SUMMARY_CHARACTERS = 200;

/** A commit's summary; null if the commit is not here. */
export async function readCommitSummary(
  store: CloneStore,
  id: string,
): Promise<CommitSummary | null> {
  const commitObject = await store.find('commit', id);
  if (!commitObject) return null;
  const { content } = commitObject;
  const bodyStart = content.indexOf('\n\n');
  const [, seconds] =
    /^committer .*> (\d{1,12}) [+-]\d{4}$/m.exec(content.toString('utf8', 0, bodyStart)) ?? [];
  const messageStart = content.toString('utf8', bodyStart + 2, bodyStart + 2 + SUMMARY_BYTES);
  const line = messageStart.split('\n', 1)[0]!.replace(/[\p{Cc}\p{Cf}]/gu, ' ');
  const { taskId, editOf } = await readCommit(store, id);
  return {
    at: commitTime(seconds),
    message: line.slice(0, SUMMARY_CHARACTERS).toWellFormed(),
    taskId: taskId ?? editOf,
  };
}

/**
 * Reads a commit object: the lines `tree`, `parent` and others, then the message.
 * @throws DomainError GIT_FAILED if the commit is not here
 */
export async function readCommit(store: CloneStore, id: string): Promise<GitCommit> {
  const commitObject = await store.find('commit', id);
  if (!commitObject)
    throw new DomainError('GIT_FAILED', `Commit ${id} not found in the repository`);
  const { content } = commitObject;
  const headerLines = content.toString('latin1', 0, content.indexOf('\n\n')).split('\n');
  const headerValues = (name: string) =>
    headerLines.flatMap((line) =>
      line.startsWith(`${name} `) ? [line.slice(name.length + 1)] : [],
    );
  const lastLine = content.subarray(content.lastIndexOf('\n', -2) + 1).toString();
  const [tree = ''] = headerValues('tree');
  return {
    tree,
    parents: headerValues('parent'),
    taskId: /^Agent-Task: (\S+)\n?$/.exec(lastLine)?.[1] ?? null,
    editOf: /^Agent-Task-Edit: (\S+)\n?$/.exec(lastLine)?.[1] ?? null,
  };
}
