import type { PageFile } from '../src/contract/site.ts';
import type { DeployedPage } from '../src/hosting/host.ts';
import type { ActivityDeps } from './deps.ts';
import { openSite, type ResultArgument, resultOf } from './taskRepository.ts';

interface DeployPreview extends ResultArgument {
  /** The commit that the work began from. */
  base: string;
  pages: PageFile[];
}

export interface PreviewedPage extends DeployedPage {
  editUrl: string;
}

/**
 * Shows the task's commit as its preview. Repeatable: the same commit goes to the same address.
 * Throws DEPLOYMENT_FAILED.
 */
export function createDeployPreview(
  deps: Pick<ActivityDeps, 'sites' | 'repositories' | 'hosting' | 'editAddress'>,
) {
  return async (argument: DeployPreview, signal: AbortSignal): Promise<PreviewedPage[]> => {
    const { task, base, pages } = argument;
    const { site } = await openSite(deps, task);
    const result = resultOf(argument);
    const deployed = await deps.hosting.deployPreview(
      { site, taskId: task.taskId, ...result, base, onto: task.ontoTaskId, pages },
      signal,
    );
    return deployed.map((page) => ({
      ...page,
      editUrl: deps.editAddress(result.heldBy, page.slug),
    }));
  };
}
