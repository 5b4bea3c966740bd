import type { PendingMerge } from '../src/contract/deployment.ts';
import type { ActivityDependencies, TaskRef } from './deps.ts';
import { openSite } from './openSite.ts';

interface MergePullRequestInput {
  task: TaskRef;
  merge: PendingMerge;
  /** When waiting ends, ISO 8601. Absent: with the site's time for builds. */
  until?: string;
  /** When waiting began, ISO 8601. */
  since: string;
}

/**
 * Asks once for the merge of a task's pull request, or looks whether people have merged it.
 * Temporal repeats it: between two attempts it holds no slot. Repeatable: a merged pull request is
 * not merged again. Throws STILL_BUILDING, FORGE_REFUSED, BUILD_FAILED.
 * @returns the commit of the production branch
 */
export function createMergePullRequest(
  deps: Pick<ActivityDependencies, 'sites' | 'repositories' | 'hosting'>,
) {
  return async (
    { task, merge, since, until }: MergePullRequestInput,
    signal: AbortSignal,
  ): Promise<string> => {
    const { site } = await openSite(deps, task);
    const buildMinutes = site.ownHost?.buildMinutes ?? 0;
    const waitEnd = new Date(until ?? Date.parse(since) + buildMinutes * 60_000);
    return deps.hosting.merge(site, { ...merge, until: waitEnd }, signal);
  };
}
