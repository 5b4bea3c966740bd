import type { PageFile, ResultCommit, Site } from '../contract/site.ts';
import type { Tree } from '../sites/git/repository.ts';

export interface DeployedPage {
  slug: string;
  /** The final URL of the page, which answers without a redirect. */
  url: string;
}

/** A task's preview at a host. */
export interface HostedPreview {
  site: Site;
  taskId: string;
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
  /** Whether pages are online as soon as a call returns, without waiting for a build. */
  readonly isInstant: boolean;
  /** Shows a commit as a task's preview. Does not change the live site. */
  deployPreview(
    preview: HostedPreview & ResultCommit & HostedFiles,
    signal?: AbortSignal,
  ): Promise<DeployedPage[]>;
  /** Moves a preview to another commit. */
  advancePreview(preview: HostedPreview & ResultCommit, signal?: AbortSignal): Promise<void>;
  /** Ends a preview. Succeeds if there is none. */
  endPreview(preview: HostedPreview): Promise<void>;
  /** Shows a commit of the production branch at the site's live address. */
  goLive(
    deployment: { site: Site; commit: string } & HostedFiles,
    signal?: AbortSignal,
  ): Promise<DeployedPage[]>;
  /** The origin of a site's live pages, without a slash at its end. */
  liveAddress(site: Pick<Site, 'label'>): string;
  /** The origin of a task's preview, without a slash at its end. */
  previewAddress(site: Pick<Site, 'label'>, taskId: string): string;
  /**
   * Origins that the console may frame: sources of a content security policy (CSP 3, section
   * 2.3.1).
   */
  frameSources(): string[];
}
