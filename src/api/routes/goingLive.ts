import Router from '@koa/router';
import { DomainError } from '../../errors.ts';
import type { PageLists, SiteComparison } from '../../hosting/embedded/siteComparison.ts';
import { slugsOf } from '../../contract/task.ts';
import type { TaskRecord } from '../../temporal/tasks/tasks.ts';
import { type ApiContext, type ApiRouter, type ApiState, callerOf, pathParameter, workOf } from '../context.ts';
import { unpublishedBelow } from '../../tasks/unpublishedBelow.ts';
import { enter } from '../middleware/enter.ts';
import { type DeploymentRouteDeps, findRestorable } from './deployments.ts';
import { type FollowUpDeps, publishableTask } from '../../tasks/publish.ts';
import { findSite, taskIdOf } from '../../tasks/start.ts';

export interface GoingLiveDeps extends FollowUpDeps, DeploymentRouteDeps {
  siteComparison: SiteComparison;
}

/** Pages that are named in an answer; all are counted. */
const NAMED = 100;

/** What would go live, told before it does. */
export function goingLiveRoutes(deps: GoingLiveDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  router.get('/agent/tasks/:taskId/publish', ...enter(deps, 'read'), async (ctx) => {
    ctx.body = await publishCheck(ctx, deps, taskIdOf(ctx));
  });
  router.get('/sites/:siteId/deployments/:deploymentId/restore', ...enter(deps, 'read'), (ctx) =>
    restoreCheck(ctx, deps),
  );
  return router;
}

/** GET /agent/tasks/{taskId}/publish */
export async function publishCheck(ctx: ApiContext, deps: GoingLiveDeps, taskId: string) {
  const caller = callerOf(ctx);
  const { task, site, output } = await publishableTask(taskId, caller, deps);
  const below = await unpublishedBelow(deps, caller.organizationId, task.onto);
  const waiting = await deps.siteComparison.waiting(site, workOf(ctx)).catch((error: unknown) => {
    if (error instanceof DomainError) return null; // the publish itself says what is wrong with the repository
    throw error;
  });
  return {
    taskId,
    pages: named([...new Set(slugsOf(output))]),
    tasks: below.map(presentBelow).filter(({ pages }) => pages.count > 0),
    pushed: waiting && presentLists(waiting),
  };
}

function presentBelow({ taskId, title, finished }: TaskRecord) {
  const slugs = finished?.status === 'completed' ? slugsOf(finished.output) : [];
  return { taskId, title, pages: named([...new Set(slugs)]) };
}

/** GET /sites/{siteId}/deployments/{deploymentId}/restore */
async function restoreCheck(ctx: ApiContext, deps: GoingLiveDeps): Promise<void> {
  const site = await findSite(callerOf(ctx), deps, pathParameter(ctx, 'siteId'));
  const { commit, name, deployedAt: at } = await findRestorable(ctx, deps, site.siteId);
  const lists = await deps.siteComparison.restoring(site, commit, workOf(ctx));
  ctx.body = { deploymentId: commit, name, at, ...presentLists(lists) };
}

const presentLists = ({ created, modified, deleted }: PageLists) => ({
  created: named(created),
  modified: named(modified),
  deleted: named(deleted),
});

const named = (slugs: string[]) => ({ count: slugs.length, slugs: slugs.slice(0, NAMED) });
