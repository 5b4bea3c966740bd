import type { DeploymentCheck, DeploymentStatus } from '../src/contract/deployment.ts';
import type { ActivityDependencies, TaskRef } from './deps.ts';
import { openSite } from './openSite.ts';

interface CheckDeploymentInput {
  task: TaskRef;
  look: DeploymentCheck;
  /** When waiting began, ISO 8601. */
  since: string;
}

/**
 * Looks once whether the pages of a deployment are online at a host that builds. Temporal repeats
 * it: between two looks it holds no slot. Repeatable. Throws STILL_BUILDING until the site's time
 * for builds is over, and BUILD_FAILED.
 */
export function createCheckDeployment(
  deps: Pick<ActivityDependencies, 'sites' | 'repositories' | 'hosting'>,
) {
  return async (
    { task, look, since }: CheckDeploymentInput,
    signal: AbortSignal,
  ): Promise<DeploymentStatus> => {
    const { site } = await openSite(deps, task);
    const buildMinutes = site.ownHost?.buildMinutes ?? 0;
    const until = new Date(Date.parse(since) + buildMinutes * 60_000);
    return deps.hosting.look(site, { ...look, until }, signal);
  };
}
