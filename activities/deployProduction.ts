import type { DeploymentResult } from '../src/contract/deployment.ts';
import type { ProductionRequest } from '../src/hosting/hosting.ts';
import type { ActivityDependencies, TaskRef } from './deps.ts';
import { openSite } from './openSite.ts';

interface DeployProductionInput extends Omit<ProductionRequest, 'site' | 'taskId'> {
  task: TaskRef;
}

/**
 * Makes a published commit live, and records which pages of which tasks went live with it.
 * Repeatable: the live commit only moves to descendants, and each task has one record. Throws
 * DEPLOYMENT_FAILED.
 */
export function createDeployProduction(
  deps: Pick<ActivityDependencies, 'sites' | 'repositories' | 'hosting'>,
) {
  return async (
    { task, ...request }: DeployProductionInput,
    signal: AbortSignal,
  ): Promise<DeploymentResult> => {
    const { site } = await openSite(deps, task);
    return deps.hosting.deployProduction({ ...request, site, taskId: task.taskId }, signal);
  };
}
