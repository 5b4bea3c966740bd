import type { PageFile } from '../src/contract/site.ts';
import type { DeployedPage } from '../src/hosting/hosting.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';
import { openSite } from './site.ts';

export interface Deploy {
  task: TaskRef;
  commit: string;
  pages: PageFile[];
}

/** Makes the task's commit visible for previews. Repeatable: the same commit under the same name. Throws DEPLOYMENT_FAILED. */
export function createDeployPreview(deps: Pick<ActivityDeps, 'sites' | 'repositories' | 'hosting'>) {
  return async ({ task, commit, pages }: Deploy, signal: AbortSignal): Promise<DeployedPage[]> => {
    const { site } = await openSite(deps, task);
    return deps.hosting.deployPreview({ site, taskId: task.taskId, commit, pages }, signal);
  };
}
