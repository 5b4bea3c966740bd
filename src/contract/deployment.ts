/** What is deployed to the hosts of sites, and waited for there. Imports nothing. */

export interface DeployedPage {
  slug: string;
  /** The final URL of the page, which answers without a redirect. null: nobody has seen it yet. */
  url: string | null;
}

/** A page to look for at a host that builds, and how to tell its new version. */
export interface ExpectedPage {
  slug: string;
  /** Where the page may be, from the site's root: the likeliest first. */
  paths: string[];
  /** New texts of the page. Any of them shows the new version. Empty: no text of it is new. */
  texts: string[];
}

/** What to look for at a host that builds. */
export interface DeploymentCheck {
  target: 'preview' | 'live';
  commit: string;
  /** What is waited for, in words, e.g. `the host's build of 1a2b3c4d5e`. */
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
  /** Absent: the pages are online, or the host shows no previews. */
  look?: DeploymentCheck;
  /** What to look for on the live site, where the host shows no previews. */
  awaited?: ExpectedPage[];
  pullRequestUrl?: string;
}

/** A pull request to merge. */
export interface PendingMerge {
  pullRequest: number;
  url: string;
  /** The branch's head: no other commit is merged. */
  head: string;
  /** The commit that the preview showed: what reported on it must report on the head. */
  previewed: string;
  /** Whether people merge, so that it is only waited for. */
  byPeople: boolean;
  /** Whether it is merged already. Absent: no. */
  isMerged?: boolean;
}

/** What a look has seen. */
export interface DeploymentStatus {
  pages: DeployedPage[];
  /** What was looked for and not found, in words. Absent: every page was seen. */
  unseen?: string;
}

/** What a pull request says. */
export interface PullRequestText {
  title: string;
  /** Sentences that a person should check. */
  notes: string[];
}
