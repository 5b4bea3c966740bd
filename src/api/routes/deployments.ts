import Router from '@koa/router';
import { defined } from '../../contract/defined.ts';
import { DomainError } from '../../errors.ts';
import type { DeploymentList } from '../../hosting/embedded/deploymentList.ts';
import {
  type ApiContext,
  type ApiRouter,
  type ApiState,
  callerOf,
  pathParameter,
  type ValidQuery,
} from '../context.ts';
import { jsonBody } from '../middleware/body.ts';
import { enter } from '../middleware/enter.ts';
import { roomOnDisk } from '../middleware/roomOnDisk.ts';
import { validate, validateQuery } from '../middleware/validate.ts';
import { deploymentCursorAt, deploymentQuery, type DeploymentQuery } from './deployments.schema.ts';
import { followUpBody } from './tasks.schema.ts';
import { checkCallback, findSite, start, type StartDeps } from '../../tasks/start.ts';

export interface DeploymentRouteDeps extends StartDeps {
  siteDeployments: DeploymentList;
}

/** What was live of a site, and putting it live again. */
export function deploymentRoutes(deps: DeploymentRouteDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  const body = jsonBody({ optional: true });
  router.get('/sites/:siteId/deployments', ...enter(deps, 'read'), validateQuery(deploymentQuery), (ctx) =>
    list(ctx, deps),
  );
  router.post(
    '/sites/:siteId/deployments/:deploymentId/restore',
    ...[...enter(deps, 'create'), roomOnDisk(deps), body],
    validate(followUpBody),
    (ctx) => start(ctx, deps, async () => restoreOf(ctx, deps, ctx.state.body.callbackUrl)),
  );
  return router;
}

/** GET /sites/{siteId}/deployments */
async function list(ctx: ApiContext<ValidQuery<DeploymentQuery>>, deps: DeploymentRouteDeps): Promise<void> {
  const site = await findSite(callerOf(ctx), deps, pathParameter(ctx, 'siteId'));
  const { limit, cursor: after } = ctx.state.query;
  const { deployments, next } = await deps.siteDeployments.list(site, { after, limit });
  ctx.body = {
    deployments: deployments.map(({ commit, deployedAt: at, taskId, name, restores, pages, isLive, message }) => ({
      ...{ deploymentId: commit, commit, name, restores, pages, at, taskId, isLive, canRestore: !isLive, message },
    })),
    nextCursor: next && deploymentCursorAt(next),
  };
}

async function restoreOf(ctx: ApiContext, deps: DeploymentRouteDeps, callbackUrl: string | undefined) {
  await checkCallback(callbackUrl, deps);
  const site = await findSite(callerOf(ctx), deps, pathParameter(ctx, 'siteId'));
  const { commit, deployedAt: at } = await findRestorable(ctx, deps, site.siteId);
  const work = { type: 'restore' as const, commit, at };
  return { site, fields: { publish: true, ...defined({ callbackUrl }), work } };
}

/** The deployment that the path names. Throws NOT_FOUND, CONFLICT where it is live. */
export async function findRestorable(
  ctx: ApiContext,
  { siteDeployments }: Pick<DeploymentRouteDeps, 'siteDeployments'>,
  siteId: string,
) {
  const commit = pathParameter(ctx, 'deploymentId');
  if (!/^[0-9a-f]{40,64}$/.test(commit)) throw new DomainError('NOT_FOUND', 'Deployment not found');
  return siteDeployments.restorable(siteId, commit);
}
