import { changedPages, deriveSitemap } from '../src/sites/derived.ts';
import { isDerived } from '../src/sites/sitemap.ts';
import { taskRef } from '../src/sites/git/taskCommit.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';
import { openSite } from './site.ts';

interface Publish {
  task: TaskRef;
  base: string;
  commit: string;
}

/**
 * Merges the task's commit into the production branch. Repeatable: a commit that is merged already is not merged again.
 * Throws PAGE_CHANGED, PUSH_REFUSED, GIT_FAILED.
 */
export function createPublish(deps: Pick<ActivityDeps, 'sites' | 'repositories' | 'pages'>) {
  return async ({ task, base, commit }: Publish, signal: AbortSignal): Promise<{ commit: string }> => {
    const { site, repository } = await openSite(deps, task);
    const { taskId, createdAt } = task;
    const before = await repository.tree(base, taskRef(taskId));
    const published = await repository.publish(
      {
        taskId,
        base,
        commit,
        author: site.author,
        createdAt,
        isDerived,
        derive: (merged, changedPaths) =>
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
