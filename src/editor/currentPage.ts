import type { PublicationReader } from '../contract/published.ts';
import type { SiteRegister, SiteWithRepository } from '../contract/site.ts';
import { DomainError } from '../errors.ts';
import type { Hosting } from '../hosting/hosting.ts';
import type { PageSource } from '../sites/formats/format.ts';
import type { Pages } from '../sites/pages/pages.ts';
import type { Repositories, Repository, Tree } from '../sites/git/repository.ts';
import { findSite, withRepository } from '../sites/git/registeredSite.ts';
import { isRegular, readPageSource } from '../sites/pages/pageSource.ts';
import { type EditableTask, pageOf } from './editableTask.ts';

export interface CurrentPageDeps {
  sites: SiteRegister;
  repositories: Pick<Repositories, 'open'>;
  pages: Pages;
  hosting: Pick<Hosting, 'advancePreview'>;
  /** Reads a site's live commit, and the record of what tasks published. */
  deployments: {
    live(siteId: string): Promise<{ commit: string } | null>;
    publications: PublicationReader;
  };
}

/** A page of a task's current result. */
export interface CurrentPage {
  site: SiteWithRepository;
  repository: Repository;
  slug: string;
  commit: string;
  tree: Tree;
  page: PageSource;
  /** Every file of the site except symbolic links. */
  sitePaths: string[];
}

/**
 * Reads a page of a task's current result. First moves the preview to that result: an earlier save
 * may have been killed after its push and before it moved the preview.
 * @throws DomainError NOT_FOUND, PAGE_UNREADABLE, LIMIT_EXCEEDED, GIT_FAILED
 */
export async function readCurrentPage(
  deps: CurrentPageDeps,
  task: EditableTask,
  slug: string,
  signal?: AbortSignal,
): Promise<CurrentPage> {
  pageOf(task, slug);
  const { taskId } = task;
  const site = withRepository(await findSite(deps.sites, task));
  const repository = deps.repositories.open(site);
  const commit = await repository.fetchResult({ commit: task.commit, heldBy: taskId }, signal);
  const advancing = deps.hosting.advancePreview({ site, taskId, commit }, signal);
  await (task.row ? advancing.catch(notShown) : advancing);
  const tree = await repository.tree({ commit, heldBy: taskId }, signal);
  const sitePaths = [...tree.entries.keys()].filter((path) => isRegular(tree, path));
  const path = pathOf(deps.pages, sitePaths, slug);
  if (path === undefined) throw new DomainError('NOT_FOUND', `Page not found: ${slug}`);
  return {
    site,
    repository,
    slug,
    commit,
    tree,
    sitePaths,
    page: await readPageSource(tree, path),
  };
}

/** A batch whose run failed may have commits that its preview has never shown. */
function notShown(cause: unknown): never {
  if (!(cause instanceof DomainError) || cause.code !== 'DEPLOYMENT_FAILED' || cause.retryable)
    throw cause;
  const why = 'Batch stopped before its preview showed all of its pages: resume it, then edit';
  throw new DomainError('CONFLICT', why, { cause });
}

/** The path of the page with this slug; undefined if there is none. */
export const pathOf = (pages: Pages, sitePaths: string[], slug: string) =>
  sitePaths.find((path) => pages.isPage(path) && pages.slugOf(path) === slug);
