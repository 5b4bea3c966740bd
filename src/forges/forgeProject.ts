/**
 * The port of forges: what tasks need of the service that keeps a site's repository. Git itself
 * goes by `src/sites/git/`.
 */

/** What a build says of a commit at the forge. */
export interface BuildReport {
  /** Where the forge keeps it: its deployments, commit statuses, or check runs. */
  of: 'deployment' | 'status' | 'check';
  /** The deployment's environment, the status' context, or the check run's name. */
  name: string;
  /** The login of whoever reported it; null where the forge does not say. */
  creator: string | null;
  /** `skipped`: nothing was built, so there is nothing to wait for. */
  state: 'pending' | 'success' | 'failure' | 'skipped';
  /** The address that it names. Anyone who may push can report one: never believe it as it is. */
  url: string | null;
  /** Where a person reads what the build did. */
  logUrl: string | null;
}

export interface PullRequest {
  number: number;
  /** Where people read it. */
  url: string;
  state: 'open' | 'merged' | 'closed';
  /** The commit that it would merge. */
  head: string;
  /** The commit on the production branch, once merged. */
  mergeCommit: string | null;
}

export interface NewPullRequest {
  /** The branch with the changes. */
  branch: string;
  /** The branch that gets them. */
  into: string;
  title: string;
  /** Markdown. */
  body: string;
}

/** What a connection's check found missing, in words for people. */
export interface ForgeProblem {
  code: 'credential' | 'scope' | 'project' | 'branch' | 'reports';
  message: string;
}

/** What a connection's check saw. */
export interface ForgeCheck {
  problems: ForgeProblem[];
  /** Whether the production branch takes pushes by this credential. */
  mayPush: boolean;
  /** Whether it is protected: then only pull requests reach it. */
  isProtected: boolean;
  /** Reports of the production branch's last commits that have any, the newest first. */
  past: { commit: string; reports: BuildReport[] }[];
}

/**
 * One project (`owner/name`) at a forge, with one credential. Every call is repeatable.
 * Throws DomainError: UNAVAILABLE (retryable, with `retryAfter` where the forge names a time),
 * FORGE_REFUSED with the forge's reason.
 */
export interface ForgeProject {
  /** Everything that was reported of a commit, the newest of each name and creator only. */
  reports(commit: string, signal: AbortSignal): Promise<BuildReport[]>;
  /** The newest pull request of a branch, in any state. */
  findPullRequest(branch: string, signal: AbortSignal): Promise<PullRequest | null>;
  /** @throws DomainError FORGE_REFUSED if there is none of this number */
  pullRequest(number: number, signal: AbortSignal): Promise<PullRequest>;
  /** Opens a pull request, or finds the open one of the same branch. */
  openPullRequest(request: NewPullRequest, signal: AbortSignal): Promise<PullRequest>;
  /**
   * Merges a pull request if its head is this commit. Does nothing if it is merged.
   * @returns the pull request as it is then: open where checks or approvals are still awaited
   * @throws DomainError FORGE_REFUSED if it is closed, or its head is another commit
   */
  merge(number: number, head: string, signal: AbortSignal): Promise<PullRequest>;
  /** Closes an open pull request. Does nothing if it is merged, closed or unknown. */
  closePullRequest(number: number, signal: AbortSignal): Promise<void>;
  /** Tries what tasks will do, without changing anything. Missing rights are no errors. */
  check(branch: string, signal: AbortSignal): Promise<ForgeCheck>;
}

/** One request to a forge or a page. */
export interface HttpRequest {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  /** At most the sender's limit of bytes. */
  body: Buffer;
}

/**
 * Sends a request to an allowed address only, and follows no redirects.
 * Throws DomainError UNAVAILABLE.
 */
export type SendHttp = (request: HttpRequest, signal: AbortSignal) => Promise<HttpResponse>;
