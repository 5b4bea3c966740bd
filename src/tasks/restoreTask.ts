import { withoutUndefined } from '../contract/withoutUndefined.ts';
import type { RestoreWork } from '../contract/task.ts';
import { DomainError } from '../errors.ts';
import type { RequestCaller } from './caller.ts';
import type { NeededPorts } from './ports.ts';
import {
  checkCallback,
  findCallerSite,
  type RequestIdempotency,
  startTask,
  type StartTaskPorts,
} from './startTask.ts';

type RestorePorts = StartTaskPorts & NeededPorts<'siteDeployments'>;

interface DeploymentKey {
  siteId: string;
  deploymentId: string;
}

type RestoreTaskRequest = DeploymentKey & { callbackUrl?: string | undefined };

/**
 * Starts a task that puts an earlier deployment live again.
 * @throws DomainError NOT_FOUND, CONFLICT if the deployment is live, INVALID_CALLBACK_URL
 */
export const startRestoreTask = (
  caller: RequestCaller,
  deps: RestorePorts,
  request: RestoreTaskRequest,
  idempotency: RequestIdempotency,
) => startTask(caller, deps, () => resolveRestore(caller, deps, request), idempotency);

async function resolveRestore(
  caller: RequestCaller,
  deps: RestorePorts,
  { callbackUrl, ...deploymentKey }: RestoreTaskRequest,
) {
  await checkCallback(callbackUrl, deps);
  const site = await findCallerSite(caller, deps, deploymentKey.siteId);
  const { commit, deployedAt: at } = await findRestorable(deps, {
    ...deploymentKey,
    siteId: site.siteId,
  });
  const work: RestoreWork = { type: 'restore', commit, at };
  return { site, fields: { publish: true, ...withoutUndefined({ callbackUrl }), work } };
}

/**
 * Finds a deployment that is not live.
 * @throws DomainError NOT_FOUND, CONFLICT if it is live
 */
export async function findRestorable(
  { siteDeployments }: NeededPorts<'siteDeployments'>,
  { siteId, deploymentId }: DeploymentKey,
) {
  if (!/^[0-9a-f]{40,64}$/.test(deploymentId))
    throw new DomainError('NOT_FOUND', 'Deployment not found');
  return siteDeployments.restorable(siteId, deploymentId);
}
