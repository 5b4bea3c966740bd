import type { PageFile } from '../src/contract/site.ts';
import type { PreviewedPage } from '../src/hosting/host.ts';
import type { ActivityDeps } from './deps.ts';
import { openSite, type ResultArgument, resultOf } from './site.ts';

interface DeployPreview extends ResultArgument {
  /** The commit that the work began from. */
  base: string;
  pages: PageFile[];
}

/**
 * Makes the task's commit visible for previews. Repeatable: the same commit under the same name.
 * Throws DEPLOYMENT_FAILED.
 */
export function createDeployPreview(
  deps: Pick<ActivityDeps, 'sites' | 'repositories' | 'hosting'>,
) {
  return async (argument: DeployPreview, signal: AbortSignal): Promise<PreviewedPage[]> => {
    const { task, base, pages } = argument;
    const { site } = await openSite(deps, task);
    return deps.hosting.deployPreview(
      { site, taskId: task.taskId, ...resultOf(argument), base, onto: task.ontoTaskId, pages },
      signal,
    );
  };
}
