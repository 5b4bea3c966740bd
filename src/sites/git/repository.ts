import type { CurrentVersion } from '../../contract/approvals.ts';
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
import type { VersionCommit, VersionDetails } from '../../contract/versions.ts';
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

/** The trailers of a commit that is a version of a result, and not the result itself. */
export interface VersionSignature {
  /** The trailer that names the task; default `Agent-Task`. */
  trailer?: 'Agent-Task-Edit';
  /**
   * The id of the person who made it, for the trailer `Agent-Task-Editor`. Absent: somebody with a
   * link, or a program. Only this service can tell whose id it is.
   */
  editor?: string | undefined;
  /** Absent for an edit by hand. */
  version?: VersionDetails | undefined;
}

/** A version of a task's result, committed after it, with the trailer `Agent-Task-Edit`. */
export interface EditCommit
  extends Omit<TaskCommit, 'base' | 'changes'>, Omit<VersionSignature, 'trailer'> {
  /** The current commit of the task's hidden ref, or of the production branch. */
  parent: string;
  /** Whether the edit begins a task: the task's hidden ref must not exist yet. */
  isFirst?: boolean;
  /** The files to write, or an earlier commit of the ref whose files the site gets again. */
  changes: FileChange[] | { restored: string };
}

/** A commit of a batch: of its new pages, or of a person's edit that it takes over. */
export type BatchCommit = TaskCommit & VersionSignature;

/** Another commit to merge into the current version of a task's result, as a version of it. */
export interface UpdateCommit extends Omit<PublishRequest, 'base' | 'isRepeated'> {
  /** The current commit of the task's hidden ref. */
  parent: string;
  message: string;
}

/** A commit of a batch that gives some files the versions that they have in production. */
export interface ProductionVersionCommit extends Omit<TaskCommit, 'changes'> {
  /** The commit of production whose versions win. */
  theirs: RetainedCommitRef;
  /** The files that get these versions. A file that production lacks is deleted. */
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

/** What a batch's hidden ref points to. */
export interface BatchTip {
  /** null: there is no ref. */
  commit: string | null;
  /** The latest edit by hand of each file, made after `uneditedCommit`. */
  edits: HandEdit[];
  /** The last commit before these edits. */
  uneditedCommit: string;
}

/** Three states of a site: when the task began, with the task's result, and in production now. */
export interface SiteVersions {
  before: SiteTree;
  task: SiteTree;
  production: SiteTree;
}

/** A result to publish, the task that publishes it (`taskId`), and how to merge it. */
export interface PublishRequest extends ResultCommit, CommitSignature, VersionSignature {
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
 * One site's repository: its clone on this machine ("here"), and its remote. Fetches and pushes of
 * a site run one at a time, and calls of the same kind that wait for this share one run. When its
 * signal aborts, a call stops waiting and reading, ends its git command, and throws the signal's
 * reason. If the commit of a `RetainedCommitRef` is missing here, it is fetched from the remote.
 * The call throws GIT_FAILED if no ref of the remote has the commit.
 */
export interface GitRepository {
  /**
   * Finds the commit that a task begins from, and keeps it here under
   * `refs/agent-tasks/base/<taskId>`. Repeating the call for a taskId returns the same commit.
   * Throws GIT_FAILED.
   * @param baseResult the result of the base task; default: the head of the production branch
   * @returns the commit's id
   */
  fetchBase(taskId: string, baseResult?: ResultCommit, signal?: AbortSignal): Promise<string>;
  /**
   * The current commit of a task's result, including edits by hand.
   * Throws GIT_FAILED if the commit is gone or does not build on `result`.
   */
  fetchResult(result: ResultCommit, signal?: AbortSignal): Promise<string>;
  /** As `fetchResult`, with the person who made the commit by hand. */
  currentVersion(result: ResultCommit, signal?: AbortSignal): Promise<CurrentVersion>;
  /**
   * Fetches the production branch and finds its merge base with a task's result.
   * Throws GIT_FAILED if the branch no longer contains `root`.
   */
  fetchMergeBase(root: string, result: RetainedCommitRef, signal?: AbortSignal): Promise<string>;
  /** Fetches the production branch and returns its head. */
  fetchHead(signal?: AbortSignal): Promise<string>;
  /** The head of the production branch at the last fetch; null before the first one. */
  lastHead(): Promise<string | null>;
  /** The files of a commit. Concurrent calls share one reading, and the result is cached. */
  tree(retainedCommit: RetainedCommitRef, signal?: AbortSignal): Promise<SiteTree>;
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
  isMadeByTask(
    retainedCommit: RetainedCommitRef,
    path: string,
    signal?: AbortSignal,
  ): Promise<boolean>;
  /** The paths for which `isMadeByTask` is true, found mostly by one git command. */
  madeByTasks(
    retainedCommit: RetainedCommitRef,
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
   * gives the same id. Throws CONFLICT, INVALID_INPUT, PUSH_REFUSED, GIT_FAILED.
   * @returns the commit's id; that of `base` if nothing changes
   */
  commitTask(commit: TaskCommit, signal?: AbortSignal): Promise<string>;
  /**
   * Writes a commit of a batch here, without a push. Its parent is the batch's base or an earlier
   * commit of the batch. The same input gives the same id.
   * @returns the commit's id; that of `base` if nothing changes
   */
  commitBatch(commit: BatchCommit, signal?: AbortSignal): Promise<string>;
  /**
   * Writes a commit of a batch here, without a push, with production's versions of some files.
   * @returns the commit's id
   */
  commitProductionVersions(commit: ProductionVersionCommit, signal?: AbortSignal): Promise<string>;
  /**
   * Moves a batch's hidden ref to a commit, at the remote and here, if it is at `expected`.
   * Repeatable. Throws PUSH_REFUSED, GIT_FAILED.
   * @returns false if the ref has another commit, because somebody edited a page
   */
  pushBatch(move: BatchMove, signal?: AbortSignal): Promise<boolean>;
  /**
   * Reads a batch's hidden ref at the remote, and the edits by hand that are its latest commits.
   * Throws GIT_FAILED, PAGE_UNREADABLE.
   * @param batch `tip` and `shown` are commits of the batch: edits up to them are known already
   */
  fetchBatch(
    batch: { taskId: string; tip: string; shown?: string },
    signal?: AbortSignal,
  ): Promise<BatchTip>;
  /**
   * Like `commitTask`, with the files of an earlier commit. Makes a commit even if nothing changes.
   */
  commitRestoring(commit: RestoringCommit, signal?: AbortSignal): Promise<string>;
  /** The time, first line and task of a commit; null if the commit is not here. */
  summary(commit: string): Promise<CommitSummary | null>;
  /**
   * Commits an edit by hand after `parent`, and moves the task's hidden ref at the remote to the
   * new commit. Throws CONFLICT, INVALID_INPUT, PUSH_REFUSED, GIT_FAILED.
   * @returns the commit; `parent` if nothing changes; null if the ref no longer has `parent`
   */
  commitEdit(edit: EditCommit, signal?: AbortSignal): Promise<string | null>;
  /**
   * Merges another commit, such as the current version of a base task, into a task's result, file
   * by file as `publish` does, and moves the task's hidden ref. Throws PAGE_CHANGED with the names
   * of the files that both sides changed, PUSH_REFUSED, GIT_FAILED.
   * @returns the new commit; `parent` if one of the two contains the other; null if the ref no
   *   longer has `parent`
   */
  commitUpdate(update: UpdateCommit, signal?: AbortSignal): Promise<string | null>;
  /**
   * The versions of a result: the commits of its hidden ref after `result`, the latest first.
   * @param tip the ref's commit, which must be here
   */
  versions(result: ResultCommit, tip: string, signal?: AbortSignal): Promise<VersionCommit[]>;
  /**
   * Merges the task's commit into the production branch, file by file, and pushes the branch.
   * Merges again if somebody else has pushed meanwhile. Throws PAGE_CHANGED, PUSH_REFUSED,
   * GIT_FAILED.
   * @param otherRequests other tasks' results for the same push. Their failures are ignored here
   * @returns the branch's new head, which may contain other tasks' results too; the current head if
   *   the commit was merged before
   */
  publish(
    request: PublishRequest,
    signal?: AbortSignal,
    otherRequests?: PublishRequest[],
  ): Promise<string>;
  /**
   * The files for which `publish` would throw PAGE_CHANGED.
   * @param headCommit the production branch's head, which must be here
   */
  conflicts(request: PublishRequest, headCommit: string, signal: AbortSignal): Promise<string[]>;
  /**
   * Points the branch `<taskId>` at the remote to the commit of this task's result. A host that
   * watches the repository builds it. Repeatable. Throws PUSH_REFUSED, GIT_FAILED.
   */
  pushBranch(result: ResultCommit, signal?: AbortSignal): Promise<void>;
  /** Removes tasks' own branches at the remote, and ignores missing ones. Throws GIT_FAILED. */
  removeBranches(taskIds: string[], signal?: AbortSignal): Promise<void>;
  /**
   * Like `publish`, but pushes the merge to the task's own branch, for a pull request. Repeatable.
   * @returns that branch's head; the production branch's head if the commit was merged before
   */
  bringUpToDate(request: PublishRequest, signal: AbortSignal): Promise<string>;
  /**
   * Keeps a commit and its ancestors here, under `refs/agent-tasks/deployed/<commit>`, even if the
   * production branch loses them. Repeatable.
   */
  hold(retainedCommit: RetainedCommitRef, signal?: AbortSignal): Promise<void>;
  /**
   * Points the remote's ref for the live commit at this commit. The remote then keeps it even if
   * the branch loses it. `publish` moves that ref too. Throws PUSH_REFUSED, GIT_FAILED.
   */
  keepLive(retainedCommit: RetainedCommitRef, signal?: AbortSignal): Promise<void>;
  /** Whether `ancestor` is `held` or one of its ancestors. */
  isAncestor(
    ancestor: RetainedCommitRef,
    retainedCommit: RetainedCommitRef,
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
  /** Lists the branches of a site's remote. Throws GIT_FAILED, LIMIT_EXCEEDED. */
  listBranches(
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
  /** Lists and removes the service's own refs, at the site's remote and in its clone. */
  ownRefs(site: OpenableSite): OwnRefs;
  /**
   * Throws PUSH_REFUSED if the production branch is checked out in a local repository, which then
   * refuses pushes to it. Changes nothing.
   */
  checkPushable(repository: SiteRepository): Promise<void>;
  /** The names of the clones on this machine, see `cloneName`. */
  clones(): Promise<string[]>;
  /** When a site's clone was last used, in milliseconds since 1970; 0 if never by this process. */
  lastUse(site: OpenableSite): number;
  /** Runs `git gc` in a site's clone if it needs it. Throws GIT_FAILED, the signal's reason. */
  maintain(site: OpenableSite, signal?: AbortSignal): Promise<void>;
  /**
   * Removes the least recently used clones until all together fit the quota. Keeps clones that were
   * used recently or that a running task needs.
   */
  keepWithinQuota(): Promise<void>;
  /**
   * Removes one clone, unless it was used in the last `idle` milliseconds.
   * @param name of the clone, see `cloneName`
   * @returns whether it was removed
   */
  removeUnused(name: string, idle: number): Promise<boolean>;
  /**
   * Removes a site's clones from this machine, of its present and earlier repository URLs. The
   * remote stays as it is. The next use of the site makes a new clone.
   */
  remove(siteId: string): Promise<void>;
  /** Like `remove`, and frees the memory of a site that is never opened again. */
  forget(siteId: string): Promise<void>;
  /** Ends running git commands and refuses new ones. The clones stay on the disk. */
  close(): Promise<void>;
}
