import type { HeldCommit, PageFile, ResultCommit, Site } from '../contract/site.ts';
import type { Tree } from '../sites/git/repository.ts';

export interface DeployedPage {
  slug: string;
  /** The final URL of the page, which answers without a redirect. null: nobody has seen it yet. */
  url: string | null;
}

/** A page to look for at a host that builds, and how its new version is told from the one before. */
export interface AwaitedPage {
  slug: string;
  /** Where the page may be, from the site's root: the likeliest first. */
  paths: string[];
  /** New texts of the page. Any of them shows the new version. Empty: no text of it is new. */
  texts: string[];
}

/** What to look for at a host that builds. */
export interface Look {
  target: 'preview' | 'live';
  commit: string;
  /** What is waited for, in words, e.g. `the host's build of 1a2b3c4d5e`. */
  what: string;
  /** Where a person can watch it: the pull request, or the commit at the forge. */
  url: string;
  /** The branch that the host builds a preview from. */
  branch: string;
  pullRequest?: number;
  pages: AwaitedPage[];
}

export interface Deployed {
  pages: DeployedPage[];
  /** Absent: the pages are online. */
  look?: Look;
  pullRequestUrl?: string;
}

/** A pull request to merge. */
export interface Merge {
  pullRequest: number;
  url: string;
  /** The branch's head: no other commit is merged. */
  head: string;
  /** The commit that the preview showed: what reported on it must report on the head. */
  previewed: string;
  /** Whether people merge, so that it is only waited for. */
  byPeople: boolean;
}

/** What a look has seen. */
export interface Looked {
  pages: DeployedPage[];
  /** What was looked for and not found, in words. Absent: every page was seen. */
  unseen?: string;
}

/** A task's preview at a host. */
export interface HostedPreview {
  site: Site;
  taskId: string;
}

/** What a pull request says. */
export interface PreviewText {
  title: string;
  /** Sentences that a person should check. */
  notes: string[];
}

/** The files of a commit, and the pages whose URLs are wanted. */
export interface HostedFiles {
  tree: Pick<Tree, 'entries'>;
  pages: PageFile[];
}

/**
 * The port to a host of sites. For every host, hosting.ts records which commit a preview shows and
 * which commit is live. Every call is repeatable, and may throw DEPLOYMENT_FAILED.
 */
export interface Host {
  /** Shows a commit as a task's preview. Does not change the live site. */
  deployPreview(
    preview: HostedPreview &
      ResultCommit &
      HostedFiles & { says?: PreviewText | undefined; base: HeldCommit },
    signal?: AbortSignal,
  ): Promise<Deployed>;
  /** Moves a preview to another commit. */
  advancePreview(preview: HostedPreview & ResultCommit, signal?: AbortSignal): Promise<void>;
  /** Ends a preview. Succeeds if there is none. */
  endPreview(preview: HostedPreview): Promise<void>;
  /**
   * Shows a commit of the production branch at the site's live address.
   * @param deployment.awaited the pages that the preview's look was for
   */
  goLive(
    deployment: { site: Site; commit: string; awaited?: AwaitedPage[] | undefined } & HostedFiles,
    signal?: AbortSignal,
  ): Promise<Deployed>;
  /**
   * Looks once whether a deployment's pages are online.
   * @param look as a deployment returned it
   * @param until when waiting ends. Then the pages that were not seen have no URL
   * @throws DomainError STILL_BUILDING before `until`; DEPLOYMENT_FAILED with the address of the
   *   build's log
   */
  look(site: Site, look: Look & { until: Date }, signal: AbortSignal): Promise<Looked>;
  /**
   * The open pull request of a task's branch, ready to be merged.
   * @param held the commit that the preview shows
   * @param head the branch's head
   * @throws DomainError FORGE_REFUSED if there is none
   */
  pullRequest(site: Site, held: ResultCommit, head: string, signal: AbortSignal): Promise<Merge>;
  /**
   * Asks once for the merge of a pull request.
   * @returns the commit of the production branch
   * @throws DomainError STILL_BUILDING before `until`; FORGE_REFUSED, DEPLOYMENT_FAILED
   */
  merge(site: Site, merge: Merge & { until: Date }, signal: AbortSignal): Promise<string>;
  /** The origin of a site's live pages, without a slash at its end. null: it is not known. */
  liveAddress(site: Pick<Site, 'label' | 'ownHost'>): string | null;
  /** The origin of a task's preview, without a slash at its end. null: it is not known. */
  previewAddress(site: Pick<Site, 'label' | 'ownHost'>, taskId: string): string | null;
  /**
   * Origins that the console may frame: sources of a content security policy (CSP 3, section
   * 2.3.1).
   */
  frameSources(): string[];
}
