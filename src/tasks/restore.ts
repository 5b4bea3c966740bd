import { defined } from '../contract/defined.ts';
import type { RestoreWork } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';
import { checkCallback, findSite, type Sent, start, type StartDeps } from './start.ts';

type Deps = StartDeps & Needs<'siteDeployments'>;

interface Deployment {
  siteId: string;
  deploymentId: string;
}

type RestoreRequest = Deployment & { callbackUrl?: string | undefined };

/**
 * Starts a task that puts an earlier deployment live again.
 * @throws DomainError NOT_FOUND, CONFLICT if the deployment is live, INVALID_CALLBACK_URL
 */
export const restore = (caller: Caller, deps: Deps, request: RestoreRequest, sent: Sent) =>
  start(caller, deps, () => restoreOf(caller, deps, request), sent);

async function restoreOf(caller: Caller, deps: Deps, { callbackUrl, ...of }: RestoreRequest) {
  await checkCallback(callbackUrl, deps);
  const site = await findSite(caller, deps, of.siteId);
  const { commit, deployedAt: at } = await findRestorable(deps, { ...of, siteId: site.siteId });
  const work: RestoreWork = { type: 'restore', commit, at };
  return { site, fields: { publish: true, ...defined({ callbackUrl }), work } };
}

/**
 * Finds a deployment that is not live.
 * @throws DomainError NOT_FOUND, CONFLICT if it is live
 */
export async function findRestorable(
  { siteDeployments }: Needs<'siteDeployments'>,
  { siteId, deploymentId }: Deployment,
) {
  if (!/^[0-9a-f]{40,64}$/.test(deploymentId))
    throw new DomainError('NOT_FOUND', 'Deployment not found');
  return siteDeployments.restorable(siteId, deploymentId);
}
