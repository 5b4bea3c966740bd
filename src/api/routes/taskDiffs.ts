import Router from '@koa/router';
import type { PublicationReader } from '../../contract/published.ts';
import type { SiteRegister } from '../../contract/site.ts';
import type { TaskResult } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import type { SiteDiffs } from '../../sites/pages/siteDiff.ts';
import type { TaskRecord, Tasks } from '../../temporal/tasks/tasks.ts';
import { type ApiContext, type ApiRouter, type ApiState, callerOf, workOf } from '../context.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';
import { type Previews, requireResult } from '../../tasks/previews.ts';
import { presentDiff } from './taskDiffs.present.ts';
import { findSite, taskIdOf } from '../../tasks/start.ts';

export interface TaskDiffDeps extends EnterDeps {
  tasks: Pick<Tasks, 'find'>;
  sites: SiteRegister;
  /** The commit that a task's preview shows: another one than the task's own where it was edited by hand. */
  deployments: Previews;
  diffs: SiteDiffs;
  publications: PublicationReader;
}

export function taskDiffRoutes(deps: TaskDiffDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  router.get('/agent/tasks/:taskId/diff', ...enter(deps, 'read'), (ctx) => readDiff(ctx, deps));
  return router;
}

/** GET /agent/tasks/{taskId}/diff */
async function readDiff(ctx: ApiContext, deps: TaskDiffDeps): Promise<void> {
  const caller = callerOf(ctx);
  const task = await deps.tasks.find(caller.organizationId, taskIdOf(ctx));
  const result = ownResultOf(task);
  if (!result) {
    ctx.body = presentDiff(task.taskId, null, { patch: '', pages: [], warnings: [] });
    return;
  }
  await requireResult(deps, result.taskId);
  const site = await findSite(caller, deps, task.siteId);
  const base = task.type === 'publish' ? await liveBefore(deps, task.taskId, result) : result.base;
  const after = (await deps.deployments.preview(task.taskId)) ?? { commit: result.commit, heldBy: result.taskId };
  const diff = await deps.diffs.read(site, { before: { commit: base, heldBy: result.taskId }, after }, workOf(ctx));
  ctx.body = presentDiff(task.taskId, { base, commit: after.commit }, diff);
}

/** What a publish was merged against: what was live already of the tasks that its result is built on. */
async function liveBefore({ publications }: TaskDiffDeps, taskId: string, { root }: TaskResult): Promise<string> {
  return (await publications.of([taskId])).get(taskId)?.base ?? root;
}

/** A task that worked on top of another one and changed nothing has the other's result: none of its own. */
function ownResultOf({ taskId, type, finished }: TaskRecord): TaskResult | undefined {
  if (!finished) throw new DomainError('CONFLICT', 'Task is still running');
  if (finished.status === 'failed') throw new DomainError('CONFLICT', 'Task failed: there is nothing to compare');
  const { result } = finished;
  return type === 'publish' || result?.taskId === taskId ? result : undefined;
}
