import type { PublicationReader } from '../contract/publication.ts';
import type { SiteRegister, SiteWithRepository } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import type { SiteHosting } from '../hosting/hosting.ts';
import type { PageSource } from '../sites/formats/format.ts';
import type { PageMethods } from '../sites/pages/pages.ts';
import type { GitRepositories, GitRepository, Tree } from '../sites/git/repository.ts';
import { findSite, requireRepository } from '../sites/git/registeredSite.ts';
import { isRegular, readPageSource } from '../sites/pages/pageSource.ts';
import { type EditableTask, editablePage } from './editableTask.ts';

export interface CurrentPageDeps {
  sites: SiteRegister;
  repositories: Pick<GitRepositories, 'open'>;
  pages: PageMethods;
  hosting: Pick<SiteHosting, 'advancePreview'>;
  /** Reads a site's live commit, and the record of what tasks published. */
  deployments: {
    live(siteId: string): Promise<{ commit: string } | null>;
    setPreviewBase(change: { taskId: string; baseTaskId: string; base: string }): Promise<void>;
    publications: PublicationReader;
  };
}

/**
 * The current version of a task's result: the latest commit of its hidden ref. For a page of a site
 * that no task edits yet, the head of the production branch.
 */
export interface CurrentResult {
  site: SiteWithRepository;
  repository: GitRepository;
  commit: string;
  tree: Tree;
  /** Every file of the site except symbolic links. */
  sitePaths: string[];
}

/** A page of a task's current result. */
export interface CurrentPage extends CurrentResult {
  slug: string;
  page: PageSource;
}

/**
 * Reads a page of a task's current result.
 * @throws DomainError as `readCurrentResult`; NOT_FOUND for an unknown page, and for a page that
 *   the task did not change; PAGE_UNREADABLE, LIMIT_EXCEEDED for the page's file
 */
export async function readCurrentPage(
  deps: CurrentPageDeps,
  task: EditableTask,
  slug: string,
  signal?: AbortSignal,
): Promise<CurrentPage> {
  editablePage(task, slug);
  const result = await readCurrentResult(deps, task, signal);
  const path = pathOfSlug(deps.pages, result.sitePaths, slug);
  if (path === undefined) throw new DomainError('NOT_FOUND', `Page not found: ${slug}`);
  return { ...result, slug, page: await readPageSource(result.tree, path) };
}

/**
 * Reads a task's current result. First moves the preview to that result: an earlier save may have
 * been killed after its push and before it moved the preview.
 * @throws DomainError NOT_FOUND for an unknown site; SITE_WITHOUT_REPOSITORY; CONFLICT for a batch
 *   whose preview lacks pages; GIT_FAILED
 */
export async function readCurrentResult(
  deps: CurrentPageDeps,
  task: EditableTask,
  signal?: AbortSignal,
): Promise<CurrentResult> {
  const { taskId } = task;
  const site = requireRepository(await findSite(deps.sites, task));
  const repository = deps.repositories.open(site);
  const commit = task.isSitePage
    ? await repository.fetchHead(signal)
    : await repository.fetchResult({ commit: task.commit, retainedBy: taskId }, signal);
  if (!task.isPreviewGone) {
    const previewUpdate = deps.hosting.advancePreview({ site, taskId, commit }, signal);
    const isBatch = task.row !== undefined || task.rows !== undefined;
    await (isBatch ? previewUpdate.catch(explainPreviewFailure) : previewUpdate);
  }
  const retainedBy = task.isSitePage ? null : taskId;
  const tree = await repository.tree({ commit, retainedBy }, signal);
  const sitePaths = [...tree.entries.keys()].filter((path) => isRegular(tree, path));
  return { site, repository, commit, tree, sitePaths };
}

/**
 * Explains why the preview of a batch can't be moved: a batch whose run failed may have commits
 * that its preview has never shown.
 */
function explainPreviewFailure(cause: unknown): never {
  if (!(cause instanceof DomainError) || cause.code !== 'DEPLOYMENT_FAILED' || cause.retryable)
    throw cause;
  const message =
    'The batch stopped before its preview showed all of its pages. Resume the batch, then edit the page.';
  throw new DomainError('CONFLICT', message, { cause });
}

/** The path of the page with this slug; undefined if there is none. */
export const pathOfSlug = (pages: PageMethods, sitePaths: string[], slug: string) =>
  sitePaths.find((path) => pages.isPage(path) && pages.slugOf(path) === slug);
