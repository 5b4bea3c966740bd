import type { PageFile } from '../src/contract/site.ts';
import type { PreviewedPage } from '../src/hosting/hosting.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';
import { openSite } from './site.ts';

export interface Deploy {
  task: TaskRef;
  commit: string;
  pages: PageFile[];
  /** The task under whose hidden ref the commit is found, where it is another one's. */
  heldBy?: string;
}

/** Makes the task's commit visible for previews. Repeatable: the same commit under the same name. Throws DEPLOYMENT_FAILED. */
export function createDeployPreview(deps: Pick<ActivityDeps, 'sites' | 'repositories' | 'hosting'>) {
  return async ({ task, commit, pages, heldBy }: Deploy, signal: AbortSignal): Promise<PreviewedPage[]> => {
    const { site } = await openSite(deps, task);
    return deps.hosting.deployPreview({ site, taskId: task.taskId, commit, pages, ...(heldBy && { heldBy }) }, signal);
  };
}
