import type {
  PageChanges,
  PageNames,
  PublishCheck as CheckAnswer,
  RestoreCheck,
} from '../../contract/answers.ts';
import type { PageLists } from '../../hosting/siteComparison.ts';
import { checkPublish, checkRestore, type PublishCheck } from '../../tasks/goingLive.ts';
import {
  type ApiContext,
  type ApiRouter,
  callerOf,
  pathParameter,
  taskIdOf,
  workOf,
} from '../context.ts';
import type { RouteNeeds } from '../parts.ts';
import { createRouter } from '../router.ts';
import type { FollowUpDeps } from '../../tasks/start.ts';
import { enter } from '../middleware/enter.ts';

export type GoingLiveDeps = FollowUpDeps & RouteNeeds<'siteDeployments' | 'siteComparison'>;

/** Maximum number of pages that an answer names. Its counts include all pages. */
const NAMED = 100;

/** Previews of what publishing or restoring would put live. */
export function goingLiveRoutes(deps: GoingLiveDeps): ApiRouter {
  const router = createRouter();
  router.get('/agent/tasks/:taskId/publish', ...enter(deps, 'read'), async (ctx) => {
    ctx.body = presentCheck(await checkPublish(callerOf(ctx), deps, taskIdOf(ctx), workOf(ctx)));
  });
  router.get('/sites/:siteId/deployments/:deploymentId/restore', ...enter(deps, 'read'), (ctx) =>
    restoreCheck(ctx, deps),
  );
  return router;
}

/** The changes that publishing a task would put live. */
export const presentCheck = ({ task, slugs, below, pushed }: PublishCheck): CheckAnswer => ({
  taskId: task.taskId,
  pages: named(slugs),
  tasks: below
    .filter((other) => other.slugs.length > 0)
    .map((other) => ({
      taskId: other.task.taskId,
      title: other.task.title,
      pages: named(other.slugs),
    })),
  pushed: pushed && presentLists(pushed),
});

/** GET /sites/{siteId}/deployments/{deploymentId}/restore */
async function restoreCheck(ctx: ApiContext, deps: GoingLiveDeps): Promise<void> {
  const of = {
    siteId: pathParameter(ctx, 'siteId'),
    deploymentId: pathParameter(ctx, 'deploymentId'),
  };
  const { deployment, lists } = await checkRestore(callerOf(ctx), deps, of, workOf(ctx));
  const { commit, name, deployedAt: at } = deployment;
  ctx.body = { deploymentId: commit, name, at, ...presentLists(lists) } satisfies RestoreCheck;
}

const presentLists = ({ created, modified, deleted }: PageLists): PageChanges => ({
  created: named(created),
  modified: named(modified),
  deleted: named(deleted),
});

const named = (slugs: string[]): PageNames => ({
  count: slugs.length,
  slugs: slugs.slice(0, NAMED),
});
