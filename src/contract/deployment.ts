/**
 * Deployments to hosts, and deployment checks: requests that find out whether an external host,
 * which builds the site itself, shows the new pages yet. `DeploymentCheck` says what to look for,
 * and `DeploymentStatus` what a check has seen. Imports nothing.
 */

export interface DeployedPage {
  slug: string;
  /** The final URL of the page, which does not redirect. null: no check has seen the page yet. */
  url: string | null;
}

/** A page to look for at an external host, and how to recognize its new version. */
export interface ExpectedPage {
  slug: string;
  /** The paths where the page may be, from the site's root, the likeliest first. */
  paths: string[];
  /** New texts of the page, any of which proves the new version. Empty if no text is new. */
  texts: string[];
}

/** What a deployment check looks for at an external host. */
export interface DeploymentCheck {
  target: 'preview' | 'live';
  commit: string;
  /** What the task waits for, in words, e.g. `the host's build of 1a2b3c4d5e`. */
  what: string;
  /** Where a person can watch it: the pull request, or the commit at the forge. */
  url: string;
  /** The branch that the host builds a preview from. */
  branch: string;
  pullRequest?: number;
  pages: ExpectedPage[];
}

export interface DeploymentResult {
  pages: DeployedPage[];
  /** The check to wait for. Absent if the pages are online, or the host has no previews. */
  deploymentCheck?: DeploymentCheck;
  /** The pages to expect on the live site. Set if the host has no previews. */
  expectedPages?: ExpectedPage[];
  pullRequestUrl?: string;
}

/** A pull request to merge. */
export interface PendingMerge {
  pullRequest: number;
  url: string;
  /** The branch's head: no other commit is merged. */
  head: string;
  /** The commit that the preview showed. Whatever reported on it must also report on `head`. */
  previewed: string;
  /** Whether people merge it, so that the task only waits for them. */
  byPeople: boolean;
  /** Whether it is merged already. Absent: no. */
  isMerged?: boolean;
}

/** What a deployment check has seen. */
export interface DeploymentStatus {
  pages: DeployedPage[];
  /** What the check has not found, in words. Absent if it has seen every page. */
  unverified?: string;
}

/** The text of a pull request. */
export interface PullRequestText {
  title: string;
  /** Sentences that a person should check. */
  notes: string[];
}
