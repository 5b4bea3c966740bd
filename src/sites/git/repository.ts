import type { Access } from './access.ts';
import type { CommitSummary } from './history.ts';
import type { LastChange } from './lastChanges.ts';
import type { RemoteBranches } from './remoteBranches.ts';
import type { OwnRefs } from './ownRefs.ts';
import type {
  HeldCommit,
  OpenableSite,
  ResultCommit,
  SiteRepository,
} from '../../contract/site.ts';
import type { FileChange, Tree } from './siteTree.ts';

export type { FileChange, Tree, TreeEntry } from './siteTree.ts';

export interface TaskCommit {
  taskId: string;
  /** The commit that the task began from: the parent. */
  base: HeldCommit;
  changes: FileChange[];
  /** First lines of the commit's message; the trailer `Agent-Task: <taskId>` is added. */
  message: string;
  author: { name: string; email: string };
  /** ISO 8601: author's and committer's date. */
  createdAt: string;
}

/** The site as it was at an earlier commit, as a task's commit on what it is now. */
export interface RestoringCommit extends Omit<TaskCommit, 'changes'> {
  earlier: HeldCommit;
}

/** A change by hand on top of a task's result. */
export interface EditCommit {
  taskId: string;
  /** The present commit of the task's hidden ref. */
  parent: string;
  changes: FileChange[];
  /** First lines of the commit's message; the trailer `Agent-Task-Edit: <taskId>` is added. */
  message: string;
  /**
   * The id of the person who edits, for the trailer `Agent-Task-Editor`. Absent: whoever has a
   * link.
   */
  editor?: string | undefined;
  author: { name: string; email: string };
  /** ISO 8601. */
  createdAt: string;
}

/** The site as a task found it, as the task leaves it, and as it is in production by now. */
export interface Versions {
  before: Tree;
  task: Tree;
  production: Tree;
}

/** What is published, who publishes it, and how to merge it. */
export interface PublishRequest extends ResultCommit {
  /** The task that publishes: named by the merge. */
  taskId: string;
  /** The commit of the production branch that the work began from. */
  base: string;
  author: { name: string; email: string };
  createdAt: string;
  /**
   * Whether an earlier attempt may have published it: then its merge is made again, and `merge` is
   * asked again.
   */
  isRepeated?: boolean;
  /**
   * Names the files that the service derives itself (sitemap.xml): they take no part in the merge
   * and are derived again on its result.
   */
  isDerived(path: string): boolean;
  /**
   * The derived files of the merged tree, given what both sides began from, that tree (in it,
   * derived files are production's) and the task's changed paths.
   */
  derive(before: Tree, merged: Tree, changedPaths: string[]): Promise<FileChange[]>;
  /**
   * The content of a file that the task and others changed differently, with the changes of both:
   * null where it stays deleted, undefined where they cannot be brought together.
   * @param changedPaths the task's
   */
  merge(
    path: string,
    versions: Versions,
    changedPaths: string[],
  ): Promise<string | null | undefined>;
  /** The slug that a conflict on this file names, for `Page changed since the task began: /x`. */
  nameOf(path: string): string;
}

/**
 * One site's bare repository on this machine, in step with the site's remote. Fetches and pushes
 * run one at a time for a site; equal ones that wait run as one batch. A call whose signal aborts
 * ends its waiting, its git and its reading, and throws the signal's reason. A `HeldCommit` that is
 * missing here is fetched from where it is held. Throws GIT_FAILED if it is nowhere.
 */
export interface Repository {
  /**
   * Fetches the production branch, or the result of the task to work on top of, holds it under
   * `refs/agent-tasks/base/<taskId>` and returns its commit id. Repeating it for the same taskId
   * returns the same commit. Throws GIT_FAILED.
   */
  fetchBase(taskId: string, onto?: ResultCommit, signal?: AbortSignal): Promise<string>;
  /**
   * The id of a task's result by now, edits by hand included.
   * Throws GIT_FAILED where it is gone or does not build on `result`.
   */
  fetchResult(result: ResultCommit, signal?: AbortSignal): Promise<string>;
  /**
   * The commit that a task's result and the production branch last had in common, fetching the
   * branch first. Throws GIT_FAILED where the branch does not have `root` any more.
   */
  fetchMergeBase(root: string, result: HeldCommit, signal?: AbortSignal): Promise<string>;
  /** The production branch's head as last fetched, fetching first. */
  fetchHead(signal?: AbortSignal): Promise<string>;
  /** The same without fetching, null before the first fetch. */
  lastHead(): Promise<string | null>;
  /**
   * The files of a commit: read once for all who ask meanwhile, for as long as one of them waits.
   */
  tree(held: HeldCommit, signal?: AbortSignal): Promise<Tree>;
  /**
   * The changed files of two commits as a unified diff, binary ones named only. Bytes that are not
   * UTF-8 read as U+FFFD. Throws LIMIT_EXCEEDED over `maxBytes`.
   */
  diff(
    before: HeldCommit,
    after: HeldCommit,
    options: { maxBytes: number; signal?: AbortSignal },
  ): Promise<string>;
  /**
   * Who changed the files last, by path, as far as the latest commits tell. The commit must be here
   * already. Throws GIT_FAILED.
   */
  lastChanges(commit: string, signal?: AbortSignal): Promise<ReadonlyMap<string, LastChange>>;
  /** The bytes of a blob by its object id. For small ones: they are held in memory. */
  blob(id: string): Promise<Buffer>;
  /**
   * Writes the bytes of a blob into a new file, without holding them in memory: one blob of a site
   * at a time, and few in all. Throws GIT_FAILED, the signal's reason when that aborts it.
   */
  writeBlob(id: string, file: string, signal?: AbortSignal): Promise<void>;
  /**
   * Whether tasks made the file at `path` and changed it last, up to a commit (by the `Agent-Task`
   * trailers of its commits).
   */
  isMadeByTask(held: HeldCommit, path: string, signal?: AbortSignal): Promise<boolean>;
  /**
   * The task's commit as the remote's hidden ref has it, null if there is none.
   * Throws CONFLICT if its parent or trailer do not match.
   */
  findTaskCommit(taskId: string, base: string, signal?: AbortSignal): Promise<string | null>;
  /**
   * Writes the commit, pushes it to the remote as `refs/agent-tasks/<taskId>`, returns its id. Same
   * input, same id.
   */
  commitTask(commit: TaskCommit, signal?: AbortSignal): Promise<string>;
  /** The same for the files of an earlier commit. It is a commit too where nothing changes. */
  commitRestoring(commit: RestoringCommit, signal?: AbortSignal): Promise<string>;
  /** What people see of a commit; null where that is not here. */
  summary(commit: string): Promise<CommitSummary | null>;
  /**
   * Writes a change by hand on top of `parent` and moves the task's hidden ref at the remote there,
   * with a lease.
   * @returns the commit; `parent` where nothing changes; null where the ref is no longer at
   *   `parent`
   */
  commitEdit(edit: EditCommit, signal?: AbortSignal): Promise<string | null>;
  /**
   * Merges the task's commit into the production branch by file and pushes it with a lease. Returns
   * the head that has it then, with other tasks' results that were published with it; already
   * merged: the production head. Throws PAGE_CHANGED, PUSH_REFUSED, GIT_FAILED.
   */
  publish(request: PublishRequest, signal?: AbortSignal): Promise<string>;
  /**
   * Keeps a commit and its ancestors here, under `refs/agent-tasks/deployed/<commit>`, whatever
   * becomes of the production branch. May be repeated.
   */
  hold(held: HeldCommit, signal?: AbortSignal): Promise<void>;
  /**
   * Makes a commit the one that the remote keeps as the site's live one, whatever becomes of the
   * branch. `publish` moves it along. Throws PUSH_REFUSED, GIT_FAILED.
   */
  keepLive(held: HeldCommit, signal?: AbortSignal): Promise<void>;
  /** Whether `ancestor` is `held` or one of its ancestors. */
  isAncestor(ancestor: HeldCommit, held: HeldCommit, signal?: AbortSignal): Promise<boolean>;
}

/**
 * Where `file:` URLs are allowed is decided when a site is registered: a site's stored URL is
 * trusted to have passed `checkRepositoryUrl`.
 */
export interface Repositories {
  /**
   * @param access in place of what was kept for the site: of a repository that is not registered
   *   yet
   */
  open(site: OpenableSite, access?: Access): Repository;
  /**
   * The branches of a remote, and which of them it names as its own. Throws GIT_FAILED,
   * LIMIT_EXCEEDED.
   */
  look(
    site: OpenableSite,
    access: Access | undefined,
    signal?: AbortSignal,
  ): Promise<RemoteBranches>;
  /**
   * Asks the remote whether it takes pushes, and pushes nothing. What its hooks refuse, it does not
   * tell. Throws GIT_FAILED, PUSH_REFUSED.
   * @param commit one that is here
   */
  mayPush(
    site: OpenableSite,
    access: Access | undefined,
    commit: string,
    signal?: AbortSignal,
  ): Promise<void>;
  /** The refs of ours at the site's remote and here. */
  ownRefs(site: OpenableSite): OwnRefs;
  /**
   * Throws PUSH_REFUSED where it is plain from here that no publish can be pushed to the production
   * branch. Changes nothing.
   */
  checkPushable(repository: SiteRepository): Promise<void>;
  /** The ids of the sites that have a copy here. */
  copies(): Promise<string[]>;
  /** When a site's copy was used last, in milliseconds since 1970; 0 if this process has not. */
  lastUse(siteId: string): number;
  /** Puts together what has grown in a site's copy. Throws GIT_FAILED, the signal's reason. */
  maintain(siteId: string, signal?: AbortSignal): Promise<void>;
  /** Removes copies that were not used for the longest time, where all together are too large. */
  keepWithinQuota(): Promise<void>;
  /** Takes a site's copy off this machine; its remote is left as it is. */
  remove(siteId: string): Promise<void>;
  /** The same, of a site that will never be opened again: nothing of it stays in memory. */
  discard(siteId: string): Promise<void>;
  close(): Promise<void>;
}
