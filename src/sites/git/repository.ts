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

/** What every commit of a task says. */
export interface Signature {
  /** Named by the commit's trailer. */
  taskId: string;
  author: { name: string; email: string };
  /** ISO 8601: the author's and the committer's date. */
  createdAt: string;
}

/** A task's result, with the trailer `Agent-Task: <taskId>`. */
export interface TaskCommit extends Signature {
  /** The commit that the task began from: the parent. */
  base: HeldCommit;
  changes: FileChange[];
  /** The message without its trailers. */
  message: string;
}

/** A task's result that gives the site the files of an earlier commit. */
export interface RestoringCommit extends Omit<TaskCommit, 'changes'> {
  earlier: HeldCommit;
}

/** A change by hand on top of a task's result, with the trailer `Agent-Task-Edit: <taskId>`. */
export interface EditCommit extends Omit<TaskCommit, 'base'> {
  /** The current commit of the task's hidden ref. */
  parent: string;
  /**
   * The id of the person who edits, for the trailer `Agent-Task-Editor`. Absent: somebody with a
   * link.
   */
  editor?: string | undefined;
}

/** The site when the task began, with the task's result, and in production now. */
export interface Versions {
  before: Tree;
  task: Tree;
  production: Tree;
}

/** What is published, by which task (`taskId`), and how to merge it. */
export interface PublishRequest extends ResultCommit, Signature {
  /** The commit of the production branch that the work began from. */
  base: string;
  /**
   * Whether an earlier attempt may have published it: then its merge is computed again, which calls
   * `merge` again.
   */
  isRepeated?: boolean;
  /**
   * Whether the service derives this file itself (sitemap.xml): it is not merged, but derived again
   * from the result.
   */
  isDerived(path: string): boolean;
  /**
   * The derived files of the merged tree.
   * @param before the tree that both sides began from
   * @param merged the merged tree, with production's derived files
   * @param changedPaths the task's
   */
  derive(before: Tree, merged: Tree, changedPaths: string[]): Promise<FileChange[]>;
  /**
   * Merges a file that the task and others changed differently.
   * @param changedPaths the task's
   * @returns its content with both changes; null: it stays deleted; undefined: a conflict
   */
  merge(
    path: string,
    versions: Versions,
    changedPaths: string[],
  ): Promise<string | null | undefined>;
  /** The name of a file in the error about a conflict: `Page changed since the task began: /x`. */
  nameOf(path: string): string;
}

/**
 * One site's bare repository on this machine, in step with the site's remote. Fetches and pushes
 * run one at a time for each site; equal ones that wait run as one batch. A call whose signal
 * aborts stops waiting and reading, ends its git command, and throws the signal's reason. A
 * `HeldCommit` that is missing here is fetched from where it is held. Throws GIT_FAILED if it is
 * nowhere.
 */
export interface Repository {
  /**
   * Fetches the production branch, or the result of the task to work on top of, holds it under
   * `refs/agent-tasks/base/<taskId>` and returns its commit id. Repeating it for the same taskId
   * returns the same commit. Throws GIT_FAILED.
   */
  fetchBase(taskId: string, onto?: ResultCommit, signal?: AbortSignal): Promise<string>;
  /**
   * The current commit of a task's result, with edits by hand.
   * Throws GIT_FAILED where it is gone or does not build on `result`.
   */
  fetchResult(result: ResultCommit, signal?: AbortSignal): Promise<string>;
  /**
   * The commit that a task's result and the production branch last had in common, fetching the
   * branch first. Throws GIT_FAILED where the branch does not have `root` any more.
   */
  fetchMergeBase(root: string, result: HeldCommit, signal?: AbortSignal): Promise<string>;
  /** Fetches the production branch and returns its head. */
  fetchHead(signal?: AbortSignal): Promise<string>;
  /** The head as it was fetched last, null before the first fetch. */
  lastHead(): Promise<string | null>;
  /** The files of a commit. Callers that ask at the same time share one reading. */
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
   * The last change of each file, by path, as far as it is among the latest commits. The commit
   * must be here already. Throws GIT_FAILED.
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
  /** The same for the files of an earlier commit. Makes a commit even where nothing changes. */
  commitRestoring(commit: RestoringCommit, signal?: AbortSignal): Promise<string>;
  /** What people see of a commit; null where the commit is not here. */
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
   * the branch's new head, which may have other tasks' results too; where it was merged before, the
   * current head. Throws PAGE_CHANGED, PUSH_REFUSED, GIT_FAILED.
   */
  publish(request: PublishRequest, signal?: AbortSignal): Promise<string>;
  /**
   * Keeps a commit and its ancestors here, under `refs/agent-tasks/deployed/<commit>`, whatever
   * becomes of the production branch. May be repeated.
   */
  hold(held: HeldCommit, signal?: AbortSignal): Promise<void>;
  /**
   * Points the remote's ref for the live commit at this one, so that the remote keeps it whatever
   * becomes of the branch. `publish` moves that ref too. Throws PUSH_REFUSED, GIT_FAILED.
   */
  keepLive(held: HeldCommit, signal?: AbortSignal): Promise<void>;
  /** Whether `ancestor` is `held` or one of its ancestors. */
  isAncestor(ancestor: HeldCommit, held: HeldCommit, signal?: AbortSignal): Promise<boolean>;
}

/**
 * Trusts the sites' URLs: they passed `checkRepositoryUrl` when the sites were registered, which
 * decided whether `file:` is allowed.
 */
export interface Repositories {
  /**
   * @param access how to reach a repository that is not registered yet; default: as stored for the
   *   site
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
   * Asks the remote whether it takes pushes, and pushes nothing. The remote's hooks do not run, so
   * they may still refuse. Throws GIT_FAILED, PUSH_REFUSED.
   * @param commit one that is here
   */
  mayPush(
    site: OpenableSite,
    access: Access | undefined,
    commit: string,
    signal?: AbortSignal,
  ): Promise<void>;
  /** The service's own refs, at the site's remote and here. */
  ownRefs(site: OpenableSite): OwnRefs;
  /**
   * Throws PUSH_REFUSED where the production branch is checked out in a local repository, which
   * then takes no pushes to it. Changes nothing.
   */
  checkPushable(repository: SiteRepository): Promise<void>;
  /** The ids of the sites that have a copy here. */
  copies(): Promise<string[]>;
  /** When a site's copy was used last, in milliseconds since 1970; 0 if this process has not. */
  lastUse(siteId: string): number;
  /** Runs `git gc` in a site's copy where it is needed. Throws GIT_FAILED, the signal's reason. */
  maintain(siteId: string, signal?: AbortSignal): Promise<void>;
  /** Removes the least recently used copies where all together are too large. */
  keepWithinQuota(): Promise<void>;
  /** Removes a site's copy from this machine, and leaves the remote as it is. */
  remove(siteId: string): Promise<void>;
  /** The same for a site that is never opened again: also frees what is in memory. */
  discard(siteId: string): Promise<void>;
  close(): Promise<void>;
}
