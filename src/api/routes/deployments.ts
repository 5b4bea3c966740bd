import type { Deployment } from '../../contract/answers.ts';
import type { ListedDeployment } from '../../hosting/deploymentList.ts';
import { restore } from '../../tasks/restore.ts';
import { findSite, type StartDeps } from '../../tasks/start.ts';
import type { Caller } from '../../tasks/caller.ts';
import { type ApiRouter, callerOf, pathParameter, sentIn } from '../context.ts';
import type { Needs, RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import { validBody } from '../middleware/validBody.ts';
import { enter } from '../middleware/enter.ts';
import { roomOnDisk } from '../middleware/roomOnDisk.ts';
import { validateQuery } from '../middleware/validate.ts';
import { deploymentCursor, deploymentQuery, type DeploymentQuery } from './deployments.schema.ts';
import { presentStarted } from './tasks.present.ts';
import { followUpBody } from './tasks.schema.ts';

type Deps = StartDeps & RouteNeeds<'siteDeployments' | 'hasRoom'>;

/** A site's deployments, and restoring them. */
export function deploymentRoutes(deps: Deps): ApiRouter {
  const router = createRouter();
  router.get(
    '/sites/:siteId/deployments',
    ...enter(deps, 'read'),
    validateQuery(deploymentQuery),
    async (ctx) => {
      const query = { siteId: pathParameter(ctx, 'siteId'), ...ctx.state.query };
      ctx.body = await listDeployments(callerOf(ctx), deps, query);
    },
  );
  router.post(
    '/sites/:siteId/deployments/:deploymentId/restore',
    ...enter(deps, 'create'),
    roomOnDisk(deps),
    ...validBody(followUpBody, { optional: true }),
    async (ctx) => {
      const of = {
        siteId: pathParameter(ctx, 'siteId'),
        deploymentId: pathParameter(ctx, 'deploymentId'),
      };
      const { callbackUrl } = ctx.state.body;
      ctx.body = presentStarted(
        await restore(callerOf(ctx), deps, { ...of, callbackUrl }, sentIn(ctx)),
      );
    },
  );
  return router;
}

/** GET /sites/{siteId}/deployments: a part of them, the latest first. */
export async function listDeployments(
  caller: Caller,
  deps: Needs<'sites' | 'siteDeployments'>,
  { siteId, limit, cursor: after }: DeploymentQuery & { siteId: string },
) {
  const site = await findSite(caller, deps, siteId);
  const { deployments, next } = await deps.siteDeployments.list(site, { after, limit });
  return {
    deployments: deployments.map(present),
    nextCursor: next && deploymentCursor.at(next),
  };
}

function present({
  commit,
  deployedAt: at,
  taskId,
  name,
  restores,
  pages,
  isLive,
  message,
}: ListedDeployment): Deployment {
  const canRestore = !isLive;
  return {
    deploymentId: commit,
    commit,
    name,
    restores,
    pages,
    at,
    taskId,
    isLive,
    canRestore,
    message,
  };
}
