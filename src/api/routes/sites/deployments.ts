import type { DeploymentResponse } from '../../../contract/responses.ts';
import type { ListedDeployment } from '../../../hosting/deploymentList.ts';
import { startRestoreTask } from '../../../tasks/restoreTask.ts';
import { findCallerSite, type StartTaskPorts } from '../../../tasks/startTask.ts';
import type { RequestCaller } from '../../../tasks/caller.ts';
import { type ApiRouter, callerOf, pathParameter, readSubmission } from '../../context.ts';
import type { SomeApiDeps, RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import { validBody } from '../../middleware/validBody.ts';
import { enter } from '../../middleware/enter.ts';
import { roomOnDisk } from '../../middleware/roomOnDisk.ts';
import { validateQuery } from '../../middleware/validate.ts';
import { deploymentCursor, deploymentQuery, type DeploymentQuery } from './deployments.schema.ts';
import { presentStartedTask } from '../tasks/tasks.present.ts';
import { followUpBody } from '../tasks/tasks.schema.ts';

type DeploymentRouteDeps = StartTaskPorts & RouteDeps<'siteDeployments' | 'hasRoom'>;

/** The deployments of a site (what went live, and when), and restoring an earlier one. */
export function deploymentRoutes(deps: DeploymentRouteDeps): ApiRouter {
  const router = createRouter();
  router.get(
    '/sites/:siteId/deployments',
    ...enter(deps, 'read'),
    validateQuery(deploymentQuery),
    async (ctx) => {
      const listQuery = { siteId: pathParameter(ctx, 'siteId'), ...ctx.state.query };
      ctx.body = await listDeployments(callerOf(ctx), deps, listQuery);
    },
  );
  router.post(
    '/sites/:siteId/deployments/:deploymentId/restore',
    ...enter(deps, 'create'),
    roomOnDisk(deps),
    ...validBody(followUpBody, { optional: true }),
    async (ctx) => {
      const deploymentIds = {
        siteId: pathParameter(ctx, 'siteId'),
        deploymentId: pathParameter(ctx, 'deploymentId'),
      };
      const { callbackUrl } = ctx.state.body;
      ctx.body = presentStartedTask(
        await startRestoreTask(
          callerOf(ctx),
          deps,
          { ...deploymentIds, callbackUrl },
          readSubmission(ctx),
        ),
      );
    },
  );
  return router;
}

/** GET /sites/{siteId}/deployments: a part of the list, newest first. */
export async function listDeployments(
  caller: RequestCaller,
  deps: SomeApiDeps<'sites' | 'siteDeployments'>,
  { siteId, limit, cursor: after }: DeploymentQuery & { siteId: string },
) {
  const site = await findCallerSite(caller, deps, siteId);
  const { deployments, next } = await deps.siteDeployments.list(site, { after, limit });
  return {
    deployments: deployments.map(presentDeployment),
    nextCursor: next && deploymentCursor.at(next),
  };
}

function presentDeployment({
  commit,
  deployedAt: at,
  taskId,
  name,
  restores,
  pages,
  isLive,
  message,
}: ListedDeployment): DeploymentResponse {
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
