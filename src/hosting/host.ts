import type { PageFile, ResultCommit, Site } from '../contract/site.ts';

export interface DeployedPage {
  slug: string;
  /** The final URL of the page, which answers without a redirect. */
  url: string;
}

export interface PreviewedPage extends DeployedPage {
  /** The address for editing the page by hand, null where it can't be edited. */
  editUrl?: string | null;
}

/**
 * The commit that a task's preview will show. `heldBy` also names the task whose pages are edited.
 */
export interface PreviewRequest extends ResultCommit {
  site: Site;
  taskId: string;
  /** The commit that the result began from, and the task whose result that is, if it is one. */
  base: string;
  onto?: string | undefined;
  pages: PageFile[];
}

/** What goes live with a task. */
export interface ProductionRequest {
  site: Site;
  taskId: string;
  /** What the deployment is called. */
  name: string;
  /** When the version that it puts live again went live. */
  restores?: string | undefined;
  commit: string;
  pages: PageFile[];
  deleted: PageFile[];
}

/** The port to a host of sites: a deployment is a commit. Every call may be repeated. */
export interface Hosting {
  /** Makes a commit visible as a task's preview. Changes nothing of the live site. */
  deployPreview(request: PreviewRequest, signal?: AbortSignal): Promise<PreviewedPage[]>;
  /**
   * Lets the task's preview show `commit`, a descendant of the commit that it shows. If it already
   * shows a descendant of `commit`, that is success. Throws NOT_FOUND without a preview,
   * DEPLOYMENT_FAILED.
   */
  advancePreview(
    request: { site: Site; taskId: string; commit: string },
    signal?: AbortSignal,
  ): Promise<void>;
  /**
   * Makes `commit` the live one, by compare-and-set and only to a descendant of the live commit; if
   * a descendant of `commit` is live already, that is success. Throws DEPLOYMENT_FAILED.
   */
  deployProduction(request: ProductionRequest, signal?: AbortSignal): Promise<DeployedPage[]>;
}
