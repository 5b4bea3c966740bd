import type { Deployment } from '../../contract/answers.ts';
import type { ListedDeployment } from '../../hosting/deploymentList.ts';
import { restore } from '../../tasks/restore.ts';
import { findSite, type StartDeps } from '../../tasks/start.ts';
import {
  type ApiContext,
  type ApiRouter,
  callerOf,
  pathParameter,
  sentIn,
  type ValidQuery,
} from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
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
    (ctx) => list(ctx, deps),
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

/** GET /sites/{siteId}/deployments */
async function list(ctx: ApiContext<ValidQuery<DeploymentQuery>>, deps: Deps): Promise<void> {
  const site = await findSite(callerOf(ctx), deps, pathParameter(ctx, 'siteId'));
  const { limit, cursor: after } = ctx.state.query;
  const { deployments, next } = await deps.siteDeployments.list(site, { after, limit });
  ctx.body = {
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
