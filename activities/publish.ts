import type { Note } from '../src/contract/task.ts';
import { changedPages, deriveSitemap } from '../src/sites/pages/derived.ts';
import { isDerived } from '../src/sites/pages/derivedFiles.ts';
import { mergeLinks } from '../src/sites/pages/mergeLinks.ts';
import type { ActivityDeps } from './deps.ts';
import { openSite, type ResultArgument, resultOf } from './site.ts';

interface Publish extends ResultArgument {
  /** The commit of the production branch that the work began from. */
  base: string;
}

/**
 * Merges the task's commit into the production branch. Repeatable: a commit that is merged already is not merged again.
 * Throws PAGE_CHANGED, PUSH_REFUSED, GIT_FAILED.
 */
export function createPublish(deps: Pick<ActivityDeps, 'sites' | 'repositories' | 'pages'>) {
  return async (argument: Publish, signal: AbortSignal): Promise<{ commit: string; notes?: Note[] }> => {
    const { task, base } = argument;
    const { site, repository } = await openSite(deps, task);
    const { taskId, organizationId, createdAt } = task;
    const pages = deps.pages.for({ organizationId, signal });
    const left = new Map<string, Note[]>();
    const published = await repository.publish(
      {
        taskId,
        base,
        ...resultOf(argument),
        author: site.author,
        createdAt,
        isDerived,
        derive: (before, merged, changedPaths) =>
          deriveSitemap(merged, changedPages(pages, before, merged, changedPaths), {
            pages,
            createdAt,
          }),
        merge: async (path, versions, changedPaths) => {
          const merged = await mergeLinks(pages, path, versions, changedPaths);
          if (merged) left.set(path, merged.notes);
          return merged?.content;
        },
        nameOf: (path) => (pages.isPage(path) ? pages.slugOf(path) : path),
      },
      signal,
    );
    const notes = [...left.values()].flat();
    return { commit: published, ...(notes.length > 0 && { notes }) };
  };
}
