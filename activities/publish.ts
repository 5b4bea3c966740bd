import { createdAndDeleted, deriveSitemap } from '../src/sites/derived.ts';
import { SITEMAP } from '../src/sites/sitemap.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';
import { openSite, taskRef } from './site.ts';

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
    const before = await repository.tree(base, taskRef(task.taskId));
    const published = await repository.publish(
      {
        taskId: task.taskId,
        base,
        commit,
        author: site.author,
        createdAt: task.createdAt,
        isDerived: (path) => path === SITEMAP,
        derive: (merged, changedPaths) =>
          deriveSitemap(merged, createdAndDeleted(deps.pages, before, merged, changedPaths)),
        nameOf: (path) => (deps.pages.isPage(path) ? deps.pages.slugOf(path) : path),
      },
      signal,
    );
    return { commit: published };
  };
}
