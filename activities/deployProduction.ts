import type { PageFile } from '../src/contract/site.ts';
import type { DeployedPage } from '../src/hosting/hosting.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';
import { openSite } from './site.ts';

interface DeployProduction {
  task: TaskRef;
  /** Of the production branch. */
  commit: string;
  pages: PageFile[];
}

/**
 * Makes a published commit the live one. Repeatable: the live pointer only moves to descendants.
 * Throws DEPLOYMENT_FAILED.
 */
export function createDeployProduction(deps: Pick<ActivityDeps, 'sites' | 'repositories' | 'hosting'>) {
  return async ({ task, commit, pages }: DeployProduction, signal: AbortSignal): Promise<DeployedPage[]> => {
    const { site } = await openSite(deps, task);
    return deps.hosting.deployProduction({ site, taskId: task.taskId, commit, pages }, signal);
  };
}
