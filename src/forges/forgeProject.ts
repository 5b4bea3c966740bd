/**
 * The port to forges: what tasks need from the service that keeps a site's repository. A forge is
 * GitHub, Gitea, Forgejo or GitLab. Fetches and pushes are not here, but in `src/sites/git/`.
 */

/** What a host, or another check, reports at the forge about its build of a commit. */
export interface BuildReport {
  /** The kind of report: the forge keeps deployments, commit statuses and check runs. */
  of: 'deployment' | 'status' | 'check';
  /** The deployment's environment, the status' context, or the check run's name. */
  name: string;
  /** The login of the account that reported it; null if the forge does not say. */
  creator: string | null;
  /** `skipped`: nothing was built, so there is nothing to wait for. */
  state: 'pending' | 'success' | 'failure' | 'skipped';
  /** The URL of the built site. Anyone who may push can report one, so check it before its use. */
  url: string | null;
  /** The URL of the build's log. */
  logUrl: string | null;
}

export interface PullRequest {
  number: number;
  /** Its page for people. */
  url: string;
  state: 'open' | 'merged' | 'closed';
  /** The last commit of its branch. */
  head: string;
  /** The commit on the production branch; null unless it is merged. */
  mergeCommit: string | null;
  /** Why the forge has not merged it yet, in words that follow "because". Absent: not known. */
  blocker?: string;
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

/** Something that `check` found wrong or missing, for people. */
export interface ForgeProblem {
  code: 'credential' | 'scope' | 'project' | 'branch' | 'reports';
  message: string;
}

/** The result of `check`. */
export interface ForgeCheck {
  problems: ForgeProblem[];
  /** Whether the credential may push to the production branch. */
  mayPush: boolean;
  /** Whether the production branch is protected, so that only pull requests change it. */
  isProtected: boolean;
  /** Reports of the production branch's last commits that have any, the newest first. */
  pastDeployments: { commit: string; reports: BuildReport[] }[];
}

/**
 * One project at a forge, such as `owner/name`, with one credential. Every call is repeatable.
 * Every call may throw a DomainError: UNAVAILABLE (retryable, with `retryAfter` if the forge names
 * a time), or FORGE_REFUSED with the forge's reason.
 */
export interface ForgeProject {
  /** The reports on a commit: the newest one of each kind, name and creator. */
  reports(commit: string, signal: AbortSignal): Promise<BuildReport[]>;
  /** The newest pull request of a branch, in any state. */
  findPullRequest(branch: string, signal: AbortSignal): Promise<PullRequest | null>;
  /** Reads a pull request. @throws DomainError FORGE_REFUSED if the number is unknown */
  pullRequest(number: number, signal: AbortSignal): Promise<PullRequest>;
  /** Opens a pull request, or finds the open one of the same branch. */
  openPullRequest(request: NewPullRequest, signal: AbortSignal): Promise<PullRequest>;
  /**
   * Merges a pull request if its head is this commit. Does nothing if it is merged.
   * @returns the pull request afterwards. It is open if checks or approvals are still missing, and
   *   its `blocker` says which
   * @throws DomainError FORGE_REFUSED if it is closed, its head is another commit, or this head can
   *   never be merged
   */
  merge(number: number, head: string, signal: AbortSignal): Promise<PullRequest>;
  /** Closes an open pull request. Does nothing if it is merged, closed or unknown. */
  closePullRequest(number: number, signal: AbortSignal): Promise<void>;
  /** Checks whether tasks can use the project. Returns missing rights, and changes nothing. */
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
  /** The body, cut at the sender's limit. */
  body: Buffer;
}

/**
 * Sends a request to allowed addresses only, and follows no redirects.
 * @throws DomainError UNAVAILABLE
 */
export type SendHttp = (request: HttpRequest, signal: AbortSignal) => Promise<HttpResponse>;
