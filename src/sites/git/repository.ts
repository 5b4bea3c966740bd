import type { RemoteAccess } from './remote/remoteAccess.ts';
import type { CommitSummary } from './history/commits.ts';
import type { LastChange } from './history/lastChanges.ts';
import type { RemoteBranches } from './remote/remoteBranches.ts';
import type { OwnRefs } from './remote/ownRefs.ts';
import type {
  RetainedCommitRef,
  OpenableSite,
  ResultCommit,
  SiteRepository,
} from '../../contract/site.ts';
import type { FileChange, SiteTree } from './trees/siteTree.ts';

export type { FileChange, SiteTree as Tree, TreeEntry } from './trees/siteTree.ts';

/** The fields that every commit of a task has. */
export interface CommitSignature {
  /** Named by the commit's trailer `Agent-Task`. */
  taskId: string;
  author: { name: string; email: string };
  /** ISO 8601: the author's and the committer's date. */
  createdAt: string;
}

/** A task's result, with the trailer `Agent-Task: <taskId>`. */
export interface TaskCommit extends CommitSignature {
  /** The commit that the task began from: the parent. */
  base: RetainedCommitRef;
  changes: FileChange[];
  /** The message without its trailers. */
  message: string;
}

/** A task's result that gives the site the files of an earlier commit. */
export interface RestoringCommit extends Omit<TaskCommit, 'changes'> {
  earlier: RetainedCommitRef;
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

/** A commit of a batch, by its rules or by hand. */
export interface BatchCommit extends TaskCommit {
  /** The trailer of an edit by hand, which the batch takes over. Default: that of a task. */
  trailer?: 'Agent-Task-Edit';
  editor?: string | undefined;
}

/** A commit of a batch that takes over others' versions of some files. */
export interface ProductionVersionCommit extends Omit<TaskCommit, 'changes'> {
  theirs: RetainedCommitRef;
  paths: string[];
}

/** Moves a batch's hidden ref. */
export interface BatchMove {
  /** The batch's id. */
  taskId: string;
  commit: string;
  /** The commit that the ref must have at the remote. null: it must not exist yet. */
  expected: string | null;
}

/** The latest edit by hand of a file. */
export interface HandEdit {
  path: string;
  source: string;
  /** ISO 8601. */
  at: string;
  /** The person's id, if known. */
  editor?: string;
}

/** What a batch's hidden ref has. */
export interface BatchTip {
  /** null: there is no ref. */
  commit: string | null;
  /** The edits by hand that are on top of `below`. */
  edits: HandEdit[];
  below: string;
}

/** Three states of a site: when the task began, with the task's result, and in production now. */
export interface SiteVersions {
  before: SiteTree;
  task: SiteTree;
  production: SiteTree;
}

/** A result to publish, the task that publishes it (`taskId`), and how to merge it. */
export interface PublishRequest extends ResultCommit, CommitSignature {
  /** The commit of the production branch that the work began from. */
  base: string;
  /**
   * Whether an earlier attempt may have published the result already. Then the merge is computed
   * again, so that `merge` is called again.
   */
  isRepeated?: boolean;
  /**
   * Whether the service derives this file from the pages (sitemap.xml). Derived files are not
   * merged. They are derived again from the merged tree.
   */
  isDerived(path: string): boolean;
  /**
   * Derives files from the merged tree.
   * @param before the tree that both sides began from
   * @param merged the merged tree, with production's derived files
   * @param changedPaths the paths that the task changed
   * @returns the changes to the derived files
   */
  derive(before: SiteTree, merged: SiteTree, changedPaths: string[]): Promise<FileChange[]>;
  /**
   * Merges a file that the task and others changed differently.
   * @param changedPaths the paths that the task changed
   * @returns the content with both changes; null: the file stays deleted; undefined: a conflict
   */
  merge(
    path: string,
    versions: SiteVersions,
    changedPaths: string[],
  ): Promise<string | null | undefined>;
  /** The name of a file in the error about a conflict: `Page changed since the task began: /x`. */
  nameOf(path: string): string;
}

/**
 * One site's bare repository on this machine, in step with the site's remote. Fetches and pushes of
 * a site run one at a time. Equal calls that wait run as one batch. When its signal aborts, a call
 * stops waiting and reading, ends its git command, and throws the signal's reason. If the commit of
 * a `HeldCommit` is missing here, it is fetched from its holder. Throws GIT_FAILED if no ref has
 * it.
 */
export interface GitRepository {
  /**
   * Fetches the production branch, or the task's result to build on (`onto`). Keeps the commit
   * under `refs/agent-tasks/base/<taskId>`. Repeating the call for a taskId returns the same
   * commit. Throws GIT_FAILED.
   * @returns the commit's id
   */
  fetchBase(taskId: string, onto?: ResultCommit, signal?: AbortSignal): Promise<string>;
  /**
   * The current commit of a task's result, including edits by hand.
   * Throws GIT_FAILED if the commit is gone or does not build on `result`.
   */
  fetchResult(result: ResultCommit, signal?: AbortSignal): Promise<string>;
  /**
   * Fetches the production branch and finds its merge base with a task's result.
   * Throws GIT_FAILED if the branch no longer contains `root`.
   */
  fetchMergeBase(root: string, result: RetainedCommitRef, signal?: AbortSignal): Promise<string>;
  /** Fetches the production branch and returns its head. */
  fetchHead(signal?: AbortSignal): Promise<string>;
  /** The head of the production branch at the last fetch; null before the first one. */
  lastHead(): Promise<string | null>;
  /** The files of a commit. Callers that ask at the same time share one reading. */
  tree(held: RetainedCommitRef, signal?: AbortSignal): Promise<SiteTree>;
  /**
   * The changed files of two commits as a unified diff. Binary files are only named. Bytes that are
   * not UTF-8 become U+FFFD. Throws LIMIT_EXCEEDED over `maxBytes`.
   */
  diff(
    before: RetainedCommitRef,
    after: RetainedCommitRef,
    options: { maxBytes: number; signal?: AbortSignal },
  ): Promise<string>;
  /**
   * The last change of each file, by path. Files that the latest commits did not change are
   * missing. The commit must be here already. Throws GIT_FAILED.
   */
  lastChanges(commit: string, signal?: AbortSignal): Promise<ReadonlyMap<string, LastChange>>;
  /** The bytes of a blob by its object id. Only for small blobs: the bytes are held in memory. */
  blob(id: string): Promise<Buffer>;
  /**
   * Writes a blob into a new file, without holding its bytes in memory. Writes one blob of a site
   * at a time, and few in all. Throws GIT_FAILED, or the signal's reason.
   */
  writeBlob(id: string, file: string, signal?: AbortSignal): Promise<void>;
  /**
   * Whether tasks made the file at `path` and changed it last, up to a commit. Reads the
   * `Agent-Task` trailers of commits.
   */
  isMadeByTask(held: RetainedCommitRef, path: string, signal?: AbortSignal): Promise<boolean>;
  /** Those of many files of which `isMadeByTask` is true, mostly by one git command. */
  madeByTasks(
    held: RetainedCommitRef,
    paths: string[],
    signal?: AbortSignal,
  ): Promise<ReadonlySet<string>>;
  /**
   * The task's commit under its hidden ref at the remote; null if there is none.
   * Throws CONFLICT if the commit's parent or trailer do not match.
   */
  findTaskCommit(taskId: string, base: string, signal?: AbortSignal): Promise<string | null>;
  /**
   * Writes the commit and pushes it to the remote as `refs/agent-tasks/<taskId>`. The same input
   * gives the same id.
   * @returns the commit's id
   */
  commitTask(commit: TaskCommit, signal?: AbortSignal): Promise<string>;
  /**
   * Writes a commit of a batch, here only: on the batch's base, or on top of an earlier commit of
   * it. The same input gives the same id.
   * @returns the commit's id; that of `base` if nothing changes
   */
  commitBatch(commit: BatchCommit, signal?: AbortSignal): Promise<string>;
  /**
   * Writes a commit of a batch, here only, with the files of another commit at some paths.
   * @returns the commit's id
   */
  commitProductionVersions(commit: ProductionVersionCommit, signal?: AbortSignal): Promise<string>;
  /**
   * Moves a batch's hidden ref to a commit, at the remote and here, if it is at `expected`.
   * Repeatable. Throws PUSH_REFUSED, GIT_FAILED.
   * @returns false if the ref is somewhere else: somebody edited a page
   */
  pushBatch(move: BatchMove, signal?: AbortSignal): Promise<boolean>;
  /**
   * Reads a batch's hidden ref at the remote, and the edits by hand at its top. Throws GIT_FAILED,
   * PAGE_UNREADABLE.
   * @param batch `tip` and `shown` are commits of the batch whose edits are known
   */
  fetchBatch(
    batch: { taskId: string; tip: string; shown?: string },
    signal?: AbortSignal,
  ): Promise<BatchTip>;
  /**
   * As `commitTask`, with the files of an earlier commit. Makes a commit even if nothing changes.
   */
  commitRestoring(commit: RestoringCommit, signal?: AbortSignal): Promise<string>;
  /** The time, first line and task of a commit; null if the commit is not here. */
  summary(commit: string): Promise<CommitSummary | null>;
  /**
   * Commits an edit by hand on top of `parent`. Moves the task's hidden ref at the remote to the
   * new commit, with a lease.
   * @returns the commit; `parent` if nothing changes; null if the ref has left `parent`
   */
  commitEdit(edit: EditCommit, signal?: AbortSignal): Promise<string | null>;
  /**
   * Merges the task's commit into the production branch, file by file, and pushes with a lease.
   * Throws PAGE_CHANGED, PUSH_REFUSED, GIT_FAILED.
   * @param others results to merge and push along, if that is possible
   * @returns the branch's new head, which may contain other tasks' results too; the current head if
   *   the commit was merged before
   */
  publish(
    request: PublishRequest,
    signal?: AbortSignal,
    others?: PublishRequest[],
  ): Promise<string>;
  /**
   * The files for which `publish` would throw PAGE_CHANGED.
   * @param headCommit the production branch's head, which must be here
   */
  conflicts(request: PublishRequest, headCommit: string, signal: AbortSignal): Promise<string[]>;
  /**
   * Points the branch of the task that holds the commit, named by its id, at it. Hosts that watch
   * the repository build it. Repeatable. Throws PUSH_REFUSED, GIT_FAILED.
   */
  pushBranch(result: ResultCommit, signal?: AbortSignal): Promise<void>;
  /** Removes tasks' own branches at the remote. Succeeds for those that are not there. */
  removeBranches(taskIds: string[], signal?: AbortSignal): Promise<void>;
  /**
   * As `publish`, but the merge goes to the task's own branch, for a pull request. Repeatable.
   * @returns the branch's head; the production branch's if the commit was merged before
   */
  bringUpToDate(request: PublishRequest, signal: AbortSignal): Promise<string>;
  /**
   * Keeps a commit and its ancestors here, under `refs/agent-tasks/deployed/<commit>`, even if the
   * production branch loses them. Repeatable.
   */
  hold(held: RetainedCommitRef, signal?: AbortSignal): Promise<void>;
  /**
   * Points the remote's ref for the live commit at this commit. The remote then keeps it even if
   * the branch loses it. `publish` moves that ref too. Throws PUSH_REFUSED, GIT_FAILED.
   */
  keepLive(held: RetainedCommitRef, signal?: AbortSignal): Promise<void>;
  /** Whether `ancestor` is `held` or one of its ancestors. */
  isAncestor(
    ancestor: RetainedCommitRef,
    held: RetainedCommitRef,
    signal?: AbortSignal,
  ): Promise<boolean>;
}

/**
 * The repositories of all sites. Trusts the sites' URLs: `checkRepositoryUrl` checked them at
 * registration and decided whether `file:` is allowed.
 */
export interface GitRepositories {
  /**
   * Opens a site's repository.
   * @param access how to reach a repository that is not registered yet; default: as stored for the
   *   site
   */
  open(site: OpenableSite, access?: RemoteAccess): GitRepository;
  /** The branches of a remote, and its default branch. Throws GIT_FAILED, LIMIT_EXCEEDED. */
  look(
    site: OpenableSite,
    access: RemoteAccess | undefined,
    signal?: AbortSignal,
  ): Promise<RemoteBranches>;
  /**
   * Asks the remote whether it takes pushes, without pushing. The remote's hooks do not run, so a
   * real push may still be refused. Throws GIT_FAILED, PUSH_REFUSED.
   * @param commit a commit that is here
   */
  mayPush(
    site: OpenableSite,
    access: RemoteAccess | undefined,
    commit: string,
    signal?: AbortSignal,
  ): Promise<void>;
  /** The service's own refs, at the site's remote and here. */
  ownRefs(site: OpenableSite): OwnRefs;
  /**
   * Throws PUSH_REFUSED if the production branch is checked out in a local repository, which then
   * refuses pushes to it. Changes nothing.
   */
  checkPushable(repository: SiteRepository): Promise<void>;
  /** The names of the copies here, see `cloneName`. */
  clones(): Promise<string[]>;
  /** When a site's copy was last used, in milliseconds since 1970; 0 if never by this process. */
  lastUse(site: OpenableSite): number;
  /** Runs `git gc` in a site's copy if it needs it. Throws GIT_FAILED, the signal's reason. */
  maintain(site: OpenableSite, signal?: AbortSignal): Promise<void>;
  /** Removes the least recently used copies until all together fit the quota. */
  keepWithinQuota(): Promise<void>;
  /** Removes a copy, unless it was used in the last `idle` milliseconds. */
  removeUnused(name: string, idle: number): Promise<boolean>;
  /** Removes a site's copy from this machine. The remote stays as it is. */
  remove(siteId: string): Promise<void>;
  /** As `remove`, for a site that is never opened again: also frees its memory. */
  discard(siteId: string): Promise<void>;
  close(): Promise<void>;
}
