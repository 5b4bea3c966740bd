import type { TaskResult } from '../src/contract/task.ts';
import { checkSitemap } from '../src/sites/pages/sitemap/deriveSitemap.ts';
import { packFileNames } from '../src/sites/pages/listing/fileNames.ts';
import { readLinkPage } from '../src/sites/pages/links/linkPage.ts';
import type { PageTarget } from '../src/sites/pages/listing/planTargets.ts';
import { findTemplate } from '../src/sites/pages/templates.ts';
import type { ActivityDependencies, TaskRef } from './deps.ts';
import { openSite } from './openSite.ts';
import type { TaskTemplates } from './taskTemplates.ts';
import { pageExistsError } from '../src/sites/pages/listing/pageExists.ts';

/** The template of new pages: the page from which they take their design. */
export interface TemplateRef {
  path: string;
  /** Digest of the template's slots (its texts): it shows whether the code reads them as before. */
  digest: string;
}

export interface SiteReadResult {
  /** The commit that the task works on. */
  base: string;
  template?: TemplateRef;
  targets: PageTarget[];
}

interface ReadSiteInput {
  task: TaskRef;
  /** Another task's result to build on. */
  baseTask?: TaskResult;
  /** Only for generate_pages. */
  templatePageSlug?: string;
  targetPageSlugs?: string[];
  /** The page that will link to the new pages. */
  linkFrom?: string;
}

/**
 * Fetches the site, and checks that the task can be done: the template exists, and no new page
 * replaces a page that people have made. For example, the template `/locations/austin` and the
 * target `/locations/lisbon` → `locations/austin.html` and `locations/lisbon.html`. Repeatable: a
 * ref of the task keeps the base commit, so a later attempt finds the same one. Throws
 * TEMPLATE_NOT_FOUND, PAGE_EXISTS, LINK_FROM_UNFIT, LIMIT_EXCEEDED, GIT_FAILED.
 */
export function createReadSite(
  deps: Pick<ActivityDependencies, 'sites' | 'repositories' | 'pages'>,
  templates: TaskTemplates,
) {
  return async (
    { task, baseTask, templatePageSlug, targetPageSlugs = [], linkFrom }: ReadSiteInput,
    signal: AbortSignal,
  ): Promise<SiteReadResult> => {
    const { site, repository } = await openSite(deps, task);
    const baseResult = baseTask && { commit: baseTask.commit, retainedBy: baseTask.taskId };
    const base = await repository.fetchBase(task.taskId, baseResult, signal);
    const retainedBase = { commit: base, retainedBy: baseTask?.taskId ?? task.taskId };
    const tree = await repository.tree(retainedBase, signal);
    checkSitemap(tree);
    if (templatePageSlug === undefined) return { base, targets: [] };
    const pages = deps.pages.for({ organizationId: task.organizationId, signal });
    const path = findTemplate(tree, pages, templatePageSlug);
    const targetRequest = { templatePath: path, slugs: targetPageSlugs };
    const targets = await pages.planTargets(packFileNames(tree.entries.values()), targetRequest);
    for (const { existing, path: file, slug } of targets) {
      if (existing && !(await repository.isMadeByTask(retainedBase, file, signal)))
        throw pageExistsError(slug);
    }
    const { digest, slug, slots } = await templates({ site, tree, path });
    if (linkFrom !== undefined)
      await readLinkPage(tree, pages, { linkFrom, template: { slug, path, slots } });
    return { base, template: { path, digest }, targets };
  };
}
