import type { Merge } from '../src/contract/deployment.ts';
import type { WaitingPublish } from '../src/contract/publishWindows.ts';
import type { SiteWithRepository } from '../src/contract/site.ts';
import type { Note } from '../src/contract/task.ts';
import { defined } from '../src/contract/defined.ts';
import { DomainError } from '../src/errors.ts';
import type { PublishRequest } from '../src/sites/git/repository.ts';
import { changedPages, deriveSitemap } from '../src/sites/pages/deriveSitemap.ts';
import { isDerived } from '../src/sites/pages/derivedFiles.ts';
import { mergeHostFile } from '../src/sites/pages/mergeHostFile.ts';
import type { Pages } from '../src/sites/pages/pages.ts';
import { REDIRECTS } from '../src/sites/redirects/hostFileNames.ts';
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

type Deps = Pick<
  ActivityDeps,
  'sites' | 'repositories' | 'pages' | 'hosting' | 'publishWindows' | 'retention'
>;

/**
 * Merges the task's commit into the production branch, and pushes the branch. Repeatable: a merged
 * commit is not merged again; a repeated attempt that finds its merge only creates the notes again.
 * At a host of the team's own, it first waits for other publishes of the site, without a slot.
 * Throws STILL_BUILDING until then, PAGE_CHANGED, PUSH_REFUSED, GIT_FAILED.
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
    const own = { ...resultOf(argument), taskId, base: argument.base, createdAt };
    const left = new Map<string, Note[]>();
    const request = { ...requestOf(own, { site, pages, left }), isRepeated: !isFirst };
    if (site.ownHost?.publish === 'pull-request') {
      const commit = await repository.bringUpToDate(request, signal);
      const merge = await deps.hosting.pullRequest(site, own, commit, signal);
      return mergedOf(commit, left, merge);
    }
    const others = await othersFor(deps, site, own, signal);
    const along = others.map((other) => requestOf(other, { site, pages, left: new Map() }));
    return mergedOf(await repository.publish(request, signal, along), left);
  };
}

const mergedOf = (commit: string, left: Map<string, Note[]>, merge?: Merge): Merged => {
  const notes = [...left.values()].flat();
  return { commit, ...(notes.length > 0 && { notes }), ...defined({ merge }) };
};

/**
 * Waits until the site's window for publishes ends.
 * @returns the others that were waiting too, for the first of them; later ones find their merge
 */
async function othersFor(
  { publishWindows, retention }: Deps,
  { siteId, ownHost }: SiteWithRepository,
  own: WaitingPublish,
  signal: AbortSignal,
): Promise<WaitingPublish[]> {
  const seconds = ownHost?.publishWindow ?? 0;
  if (seconds === 0) return [];
  const retryAfter = await publishWindows.join(siteId, own, seconds);
  if (retryAfter > 0)
    throw new DomainError(
      'STILL_BUILDING',
      'Publishes of the site are gathered, so that they share a build at its host',
      { retryable: true, retryAfter },
    );
  const others = (await publishWindows.take(siteId)).filter(({ commit }) => commit !== own.commit);
  if (others.length === 0) return others;
  // an operator may have ended one; where nobody can tell, each publishes itself
  const running = await retention.runningTasks([siteId], signal).catch(() => undefined);
  return others.filter(({ taskId }) => running?.get(siteId)?.has(taskId));
}

/**
 * How a result is merged.
 * @param place.left gets the notes of merged files, by their paths
 */
export function requestOf(
  publish: WaitingPublish,
  place: { site: SiteWithRepository; pages: Pages; left: Map<string, Note[]> },
): PublishRequest {
  const { site, pages, left } = place;
  return {
    ...publish,
    author: site.author,
    isDerived,
    derive: (before, merged, changedPaths) =>
      deriveSitemap(merged, changedPages(pages, before, merged, changedPaths), {
        pages,
        createdAt: publish.createdAt,
      }),
    merge: async (path, versions, changedPaths) => {
      if (path === REDIRECTS) return mergeHostFile(pages, path, versions);
      const merged = await mergeLinks(pages, path, versions, changedPaths);
      if (merged) left.set(path, merged.notes);
      return merged?.content;
    },
    nameOf: (path) => (pages.isPage(path) ? pages.slugOf(path) : path),
  };
}
