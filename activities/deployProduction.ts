import type { DeployedPage } from '../src/hosting/hosting.ts';
import type { ActivityDeps } from './deps.ts';
import type { Deploy } from './deployPreview.ts';
import { openSite } from './site.ts';

/** Makes a published commit the live one. Repeatable: the live pointer only moves to descendants. Throws DEPLOYMENT_FAILED. */
export function createDeployProduction(deps: Pick<ActivityDeps, 'sites' | 'repositories' | 'hosting'>) {
  return async ({ task, commit, pages }: Deploy, signal: AbortSignal): Promise<DeployedPage[]> => {
    const { site } = await openSite(deps, task);
    return deps.hosting.deployProduction({ site, taskId: task.taskId, commit, pages }, signal);
  };
}
