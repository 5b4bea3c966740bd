import type {
  ExpectedPage,
  DeploymentResult,
  DeploymentCheck,
  DeploymentStatus,
  PendingMerge,
  PullRequestText,
} from '../contract/deployment.ts';
import type { RetainedCommitRef, PageFile, ResultCommit, Site } from '../contract/site.ts';
import type { Tree } from '../sites/git/repository.ts';

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
 * The port to a host, which serves the pages of sites. There are two implementations: embedded/ and
 * external/. hosting.ts calls them, and records which commit a preview shows and which commit is
 * live. Every call is repeatable, and may throw DEPLOYMENT_FAILED.
 */
export interface HostAdapter {
  /**
   * Shows a commit as a task's preview. Does not change the live site.
   * @param preview.sample how many of the pages a deployment check looks for. Default: all
   * @param preview.pullRequestText the text of a pull request. Default: only which task it is
   */
  deployPreview(
    preview: HostedPreview &
      ResultCommit &
      HostedFiles & {
        pullRequestText?: PullRequestText | undefined;
        base: RetainedCommitRef;
        sample?: number | undefined;
      },
    signal?: AbortSignal,
  ): Promise<DeploymentResult>;
  /** Moves a preview to another commit. */
  advancePreview(preview: HostedPreview & ResultCommit, signal?: AbortSignal): Promise<void>;
  /** Ends a preview. Succeeds if there is none. */
  endPreview(preview: HostedPreview): Promise<void>;
  /**
   * Shows a commit of the production branch at the site's live URL.
   * @param deployment.expectedPages the pages that a deployment check looks for. Default: none
   * @param deployment.taskId the task that published it, if any
   */
  goLive(
    deployment: HostedFiles & {
      site: Site;
      taskId?: string;
      commit: string;
      expectedPages?: ExpectedPage[] | undefined;
    },
    signal?: AbortSignal,
  ): Promise<DeploymentResult>;
  /** What a deployment check should look for after a change. Empty if the host needs no check. */
  findExpectedPages(
    site: Site,
    commits: { before: RetainedCommitRef; after: RetainedCommitRef },
    pages: PageFile[],
    signal: AbortSignal,
  ): Promise<ExpectedPage[]>;
  /**
   * Makes one deployment check: are the pages online?
   * @param check as a deployment returned it, with the time `until` which to wait. After it, pages
   *   that were not found have no URL
   * @throws DomainError STILL_BUILDING before `until`; BUILD_FAILED with the URL of the build's log
   */
  checkDeployment(
    site: Site,
    check: DeploymentCheck & { until: Date },
    signal: AbortSignal,
  ): Promise<DeploymentStatus>;
  /**
   * The open pull request of a task's branch, ready to be merged.
   * @param heldCommit the commit that the preview shows, and the task that publishes it
   * @param head the branch's head
   * @throws DomainError FORGE_REFUSED if the branch has no open or merged pull request
   */
  pullRequest(
    site: Site,
    heldCommit: ResultCommit & { taskId: string },
    head: string,
    signal: AbortSignal,
  ): Promise<PendingMerge>;
  /**
   * Asks the forge once to merge a pull request, or checks whether people have merged it.
   * @returns the commit of the production branch
   * @throws DomainError STILL_BUILDING before `until`; FORGE_REFUSED, BUILD_FAILED
   */
  merge(site: Site, merge: PendingMerge & { until: Date }, signal: AbortSignal): Promise<string>;
  /** The origin of a site's live pages, without a slash at its end. null: it is not known. */
  liveOriginOf(site: Pick<Site, 'label' | 'ownHost'>): string | null;
  /** The origin of a task's preview, without a slash at its end. null: it is not known. */
  previewOriginOf(site: Pick<Site, 'label' | 'ownHost'>, taskId: string): string | null;
  /**
   * Origins that the console may frame: sources of a content security policy (CSP 3, section
   * 2.3.1).
   */
  frameSources(): string[];
}
