import Router from '@koa/router';
import type { Deployment } from '../../contract/answers.ts';
import type { ListedDeployment } from '../../hosting/deploymentList.ts';
import { restore, type RestoreDeps } from '../../tasks/restore.ts';
import { findSite } from '../../tasks/start.ts';
import {
  type ApiContext,
  type ApiRouter,
  type ApiState,
  callerOf,
  pathParameter,
  sentIn,
  type ValidQuery,
} from '../context.ts';
import { jsonBody } from '../middleware/body.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';
import { roomOnDisk, type RoomDeps } from '../middleware/roomOnDisk.ts';
import { validate, validateQuery } from '../middleware/validate.ts';
import { deploymentCursorAt, deploymentQuery, type DeploymentQuery } from './deployments.schema.ts';
import { presentStarted } from './tasks.present.ts';
import { followUpBody } from './tasks.schema.ts';

export interface DeploymentRouteDeps extends RestoreDeps, EnterDeps, RoomDeps {}

/** What was live of a site, and putting it live again. */
export function deploymentRoutes(deps: DeploymentRouteDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  const body = jsonBody({ optional: true });
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
    body,
    validate(followUpBody),
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
async function list(
  ctx: ApiContext<ValidQuery<DeploymentQuery>>,
  deps: DeploymentRouteDeps,
): Promise<void> {
  const site = await findSite(callerOf(ctx), deps, pathParameter(ctx, 'siteId'));
  const { limit, cursor: after } = ctx.state.query;
  const { deployments, next } = await deps.siteDeployments.list(site, { after, limit });
  ctx.body = {
    deployments: deployments.map(present),
    nextCursor: next && deploymentCursorAt(next),
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
