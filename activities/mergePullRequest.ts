import type { PendingMerge } from '../src/contract/deployment.ts';
import type { ActivityDependencies, TaskRef } from './deps.ts';
import { openSite } from './openSite.ts';

interface MergePullRequestInput {
  task: TaskRef;
  merge: PendingMerge;
  /** When waiting ends, ISO 8601. Absent: when the site's build time is over. */
  until?: string;
  /** When waiting began, ISO 8601. */
  since: string;
}

/**
 * Asks the forge (such as GitHub) once to merge a task's pull request, or checks whether people
 * have merged it. Throws STILL_BUILDING if it is not merged yet: Temporal then repeats the
 * activity, which occupies no worker slot in between. Repeatable: a merged pull request is not
 * merged again. Also throws FORGE_REFUSED, BUILD_FAILED.
 * @returns the commit of the production branch after the merge
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
