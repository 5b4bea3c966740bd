import type {
  PushedPages,
  PageNames,
  PublishCheckResponse,
  RestoreCheckResponse,
} from '../../../contract/responses.ts';
import type { PageLists } from '../../../hosting/siteComparison.ts';
import {
  previewPublish,
  previewRestore,
  type PublishPreview,
} from '../../../tasks/previewPublish.ts';
import {
  type ApiContext,
  type ApiRouter,
  callerOf,
  pathParameter,
  taskIdOf,
  jobOwnerOf,
} from '../../context.ts';
import type { RouteDeps } from '../../apiDeps.ts';
import { createRouter } from '../../router.ts';
import type { FollowUpPorts } from '../../../tasks/startTask.ts';
import { enter } from '../../middleware/enter.ts';

export type GoingLiveDeps = FollowUpPorts & RouteDeps<'siteDeployments' | 'siteComparison'>;

/** Maximum number of pages that a response names. Its counts include all pages. */
const MOST_NAMED_PAGES = 100;

/** Reads what publishing a task, or restoring a deployment, would make live. Changes nothing. */
export function goingLiveRoutes(deps: GoingLiveDeps): ApiRouter {
  const router = createRouter();
  router.get('/agent/tasks/:taskId/publish', ...enter(deps, 'read'), async (ctx) => {
    ctx.body = presentPublishCheck(
      await previewPublish(callerOf(ctx), deps, { taskId: taskIdOf(ctx) }, jobOwnerOf(ctx)),
    );
  });
  router.get('/sites/:siteId/deployments/:deploymentId/restore', ...enter(deps, 'read'), (ctx) =>
    answerRestoreCheck(ctx, deps),
  );
  return router;
}

/** The response body: pages of the task, of its base tasks, and pages that others have pushed. */
export const presentPublishCheck = ({
  task,
  slugs,
  leftOut,
  baseTasks,
  pushed,
  conflicts,
}: PublishPreview): PublishCheckResponse => ({
  taskId: task.taskId,
  pages: namePages(slugs),
  leftOut: namePages(leftOut),
  tasks: baseTasks
    .filter((baseTask) => baseTask.slugs.length > 0)
    .map((baseTask) => ({
      taskId: baseTask.task.taskId,
      title: baseTask.task.title,
      pages: namePages(baseTask.slugs),
    })),
  pushed: pushed && presentPageLists(pushed),
  conflicts: conflicts.map(({ pages, ...conflict }) => ({ ...conflict, pages: namePages(pages) })),
});

/** GET /sites/{siteId}/deployments/{deploymentId}/restore */
async function answerRestoreCheck(ctx: ApiContext, deps: GoingLiveDeps): Promise<void> {
  const deploymentIds = {
    siteId: pathParameter(ctx, 'siteId'),
    deploymentId: pathParameter(ctx, 'deploymentId'),
  };
  const { deployment, lists } = await previewRestore(
    callerOf(ctx),
    deps,
    deploymentIds,
    jobOwnerOf(ctx),
  );
  const { commit, name, deployedAt: at } = deployment;
  ctx.body = {
    deploymentId: commit,
    name,
    at,
    ...presentPageLists(lists),
  } satisfies RestoreCheckResponse;
}

const presentPageLists = ({ created, modified, deleted }: PageLists): PushedPages => ({
  created: namePages(created),
  modified: namePages(modified),
  deleted: namePages(deleted),
});

const namePages = (slugs: string[]): PageNames => ({
  count: slugs.length,
  slugs: slugs.slice(0, MOST_NAMED_PAGES),
});
