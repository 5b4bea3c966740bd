import type { DeploymentCheck, DeploymentStatus } from '../src/contract/deployment.ts';
import type { ActivityDependencies, TaskRef } from './deps.ts';
import { openSite } from './openSite.ts';

interface CheckDeploymentInput {
  task: TaskRef;
  deploymentCheck: DeploymentCheck;
  /** When waiting began, ISO 8601. */
  since: string;
}

/**
 * Checks once whether an external host, such as Netlify, shows the new pages of a deployment.
 * Throws STILL_BUILDING if it does not yet: Temporal then repeats the activity, which occupies no
 * worker slot in between. Once the site's build time is over, returns what it found. Repeatable: it
 * only reads. Throws BUILD_FAILED if the host could not build.
 */
export function createCheckDeployment(
  deps: Pick<ActivityDependencies, 'sites' | 'repositories' | 'hosting'>,
) {
  return async (
    { task, deploymentCheck, since }: CheckDeploymentInput,
    signal: AbortSignal,
  ): Promise<DeploymentStatus> => {
    const { site } = await openSite(deps, task);
    const buildMinutes = site.ownHost?.buildMinutes ?? 0;
    const until = new Date(Date.parse(since) + buildMinutes * 60_000);
    return deps.hosting.checkDeployment(site, { ...deploymentCheck, until }, signal);
  };
}
