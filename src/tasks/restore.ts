import { defined } from '../contract/defined.ts';
import { DomainError } from '../errors.ts';
import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';
import { checkCallback, findSite, type Sent, start, type StartDeps } from './start.ts';

type Deps = StartDeps & Needs<'siteDeployments'>;

interface Deployment {
  siteId: string;
  deploymentId: string;
}

/**
 * Starts a task that puts an earlier deployment live again.
 * @throws DomainError NOT_FOUND, CONFLICT if the deployment is live, INVALID_CALLBACK_URL
 */
export const restore = (
  caller: Caller,
  deps: Deps,
  { callbackUrl, ...of }: Deployment & { callbackUrl?: string | undefined },
  sent: Sent,
) =>
  start(
    caller,
    deps,
    async () => {
      await checkCallback(callbackUrl, deps);
      const site = await findSite(caller, deps, of.siteId);
      const { commit, deployedAt: at } = await findRestorable(deps, { ...of, siteId: site.siteId });
      return {
        site,
        fields: {
          publish: true,
          ...defined({ callbackUrl }),
          work: { type: 'restore', commit, at },
        },
      };
    },
    sent,
  );

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
