import type { Merge } from '../src/contract/deployment.ts';
import type { Note } from '../src/contract/task.ts';
import { defined } from '../src/contract/defined.ts';
import type { PublishRequest } from '../src/sites/git/repository.ts';
import { changedPages, deriveSitemap } from '../src/sites/pages/deriveSitemap.ts';
import { isDerived } from '../src/sites/pages/derivedFiles.ts';
import { mergeHostFile } from '../src/sites/pages/mergeHostFile.ts';
import { isHostFile } from '../src/sites/redirects/hostFileNames.ts';
import { mergeLinks } from '../src/sites/pages/mergeLinks.ts';
import type { Attempt } from './attempt.ts';
import type { ActivityDeps } from './deps.ts';
import { openSite, type ResultArgument, resultOf } from './taskRepository.ts';

interface Publish extends ResultArgument {
  /** The production branch's commit that the work began from. */
  base: string;
}

export interface Merged {
  commit: string;
  notes?: Note[];
  /**
   * Where pull requests publish: `commit` is the head of the task's branch, and this merges it.
   */
  merge?: Merge;
}

type Deps = Pick<ActivityDeps, 'sites' | 'repositories' | 'pages' | 'hosting'>;

/**
 * Merges the task's commit into the production branch, and pushes the branch. Repeatable: a merged
 * commit is not merged again; a repeated attempt that finds its merge only creates the notes again.
 * Throws PAGE_CHANGED, PUSH_REFUSED, GIT_FAILED.
 */
export function createPublish(deps: Deps) {
  return async (
    argument: Publish,
    signal: AbortSignal,
    { isFirst }: Pick<Attempt, 'isFirst'>,
  ): Promise<Merged> => {
    const { site, repository } = await openSite(deps, argument.task);
    const { taskId, organizationId, createdAt } = argument.task;
    const pages = deps.pages.for({ organizationId, signal });
    const left = new Map<string, Note[]>();
    const request: PublishRequest = {
      taskId,
      base: argument.base,
      ...resultOf(argument),
      author: site.author,
      createdAt,
      isRepeated: !isFirst,
      isDerived,
      derive: (before, merged, changedPaths) =>
        deriveSitemap(merged, changedPages(pages, before, merged, changedPaths), {
          pages,
          createdAt,
        }),
      merge: async (path, versions, changedPaths) => {
        if (isHostFile(path)) return mergeHostFile(pages, path, versions);
        const merged = await mergeLinks(pages, path, versions, changedPaths);
        if (merged) left.set(path, merged.notes);
        return merged?.content;
      },
      nameOf: (path) => (pages.isPage(path) ? pages.slugOf(path) : path),
    };
    const isByPull = site.ownHost?.publish === 'pull-request';
    const commit = isByPull
      ? await repository.bringUpToDate(request, signal)
      : await repository.publish(request, signal);
    const merge = isByPull
      ? await deps.hosting.pullRequest(site, resultOf(argument), commit, signal)
      : undefined;
    const notes = [...left.values()].flat();
    return { commit, ...(notes.length > 0 && { notes }), ...defined({ merge }) };
  };
}
