import type { PageFile, Site } from '../contract/site.ts';

export interface DeployedPage {
  slug: string;
  /** The final URL of the page, which answers without a redirect. */
  url: string;
}

export interface PreviewedPage extends DeployedPage {
  /** Where the page can be edited by hand, null where it can't. */
  editUrl?: string | null;
}

/** The port to a host of sites: a deployment is a commit. Every call may be repeated. */
export interface Hosting {
  /** Makes a task's commit visible for previews. Changes nothing of the live site. */
  deployPreview(
    request: {
      site: Site;
      taskId: string;
      commit: string;
      pages: PageFile[];
      /** The task under whose hidden ref the commit is found, and whose pages are edited; default this one. */
      heldBy?: string;
    },
    signal?: AbortSignal,
  ): Promise<PreviewedPage[]>;
  /**
   * Lets the task's preview show `commit`, which was made on top of what it shows; if a descendant of `commit` is shown already, that is
   * success. Throws NOT_FOUND without a preview, DEPLOYMENT_FAILED.
   */
  advancePreview(request: { site: Site; taskId: string; commit: string }): Promise<void>;
  /**
   * Makes `commit` the live one, by compare-and-set and only to a descendant of the live commit; if a descendant of `commit`
   * is live already, that is success. Throws DEPLOYMENT_FAILED.
   */
  deployProduction(
    request: { site: Site; taskId: string; commit: string; pages: PageFile[] },
    signal?: AbortSignal,
  ): Promise<DeployedPage[]>;
}
