import type { Look, Looked } from '../src/contract/deployment.ts';
import type { ActivityDeps, TaskRef } from './deps.ts';
import { openSite } from './taskRepository.ts';

interface LookFor {
  task: TaskRef;
  look: Look;
  /** When waiting began, ISO 8601. */
  since: string;
}

/**
 * Looks once whether the pages of a deployment are online at a host that builds. Temporal repeats
 * it: between two looks it holds no slot. Repeatable. Throws STILL_BUILDING until the site's time
 * for builds is over, and BUILD_FAILED.
 */
export function createLook(deps: Pick<ActivityDeps, 'sites' | 'repositories' | 'hosting'>) {
  return async ({ task, look, since }: LookFor, signal: AbortSignal): Promise<Looked> => {
    const { site } = await openSite(deps, task);
    const minutes = site.ownHost?.buildMinutes ?? 0;
    const until = new Date(Date.parse(since) + minutes * 60_000);
    return deps.hosting.look(site, { ...look, until }, signal);
  };
}
