import { changedPages, deriveSitemap } from '../src/sites/pages/derived.ts';
import { isDerived } from '../src/sites/pages/sitemap.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';
import { openSite } from './site.ts';

interface Publish {
  task: TaskRef;
  /** The commit of the production branch that the work began from. */
  base: string;
  commit: string;
  /** The task under whose hidden ref the commit is found, where it is another one's. */
  heldBy?: string;
}

/**
 * Merges the task's commit into the production branch. Repeatable: a commit that is merged already is not merged again.
 * Throws PAGE_CHANGED, PUSH_REFUSED, GIT_FAILED.
 */
export function createPublish(deps: Pick<ActivityDeps, 'sites' | 'repositories' | 'pages'>) {
  return async ({ task, base, commit, heldBy }: Publish, signal: AbortSignal): Promise<{ commit: string }> => {
    const { site, repository } = await openSite(deps, task);
    const { taskId, createdAt } = task;
    const published = await repository.publish(
      {
        taskId,
        base,
        commit,
        ...(heldBy && { heldBy }),
        author: site.author,
        createdAt,
        isDerived,
        derive: (before, merged, changedPaths) =>
          deriveSitemap(merged, changedPages(deps.pages, before, merged, changedPaths), {
            pages: deps.pages,
            createdAt,
          }),
        nameOf: (path) => (deps.pages.isPage(path) ? deps.pages.slugOf(path) : path),
      },
      signal,
    );
    return { commit: published };
  };
}
