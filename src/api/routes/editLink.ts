import Router from '@koa/router';
import { isTaskId } from '../../contract/task.ts';
import type { Editor } from '../../editor/editor.ts';
import type { Grants } from '../../editor/grants.ts';
import { type EditableTask, editableTask, heldBy, pageOf, type TaskState } from '../../editor/task.ts';
import { DomainError } from '../../errors.ts';
import { type ApiContext, type ApiRouter, type ApiState, identityOf } from '../context.ts';
import { jsonBody } from '../middleware/body.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';
import { validate } from '../middleware/validate.ts';
import { editLinkBody, type EditLinkBody } from './editLink.schema.ts';

/** What editing by hand needs. */
export interface Editing {
  editor: Editor;
  grants: Grants;
  /** Throws NOT_FOUND for an unknown task and for another organization's. */
  findTask(organizationId: string, taskId: string): Promise<TaskState>;
  /** The address that clients use. */
  publicUrl(): URL;
}

export interface EditLinkDeps extends EnterDeps {
  editing: Editing;
}

/** How the key's organization lets somebody edit a task's pages: until there are accounts, a link is all they need. */
export function editLinkRoutes(deps: EditLinkDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  const body = [jsonBody({ optional: true }), validate(editLinkBody)];
  router.post('/agent/tasks/:taskId/edit-link', ...enter(deps, 'create'), ...body, (ctx) =>
    createLink(ctx, deps.editing, ctx.params['taskId'] ?? ''),
  );
  return router;
}

/** The secret stands in the fragment, which browsers send to nobody and which no log of requests holds. */
async function createLink(ctx: ApiContext, editing: Editing, taskId: string): Promise<void> {
  const { organizationId } = identityOf(ctx);
  const task = await findEditable(ctx, editing, organizationId, taskId);
  const { slug } = pageOf(task, (ctx.state.body as EditLinkBody).slug ?? task.pages[0]?.slug ?? '/');
  const { token, expiresAt } = editing.grants.issue('link', { organizationId, taskId: task.taskId });
  const url = new URL(`/edit/${task.taskId}${slug.split('/').map(encodeURIComponent).join('/')}`, editing.publicUrl());
  url.hash = `key=${token}`;
  ctx.body = { url: url.href, expiresAt: expiresAt.toISOString() };
}

/**
 * The task whose pages are edited: of one that published another one's result, that other one.
 * @throws DomainError NOT_FOUND, CONFLICT for a task without pages that can be edited
 */
export async function findEditable(
  ctx: ApiContext,
  editing: Editing,
  organizationId: string,
  taskId: string,
): Promise<EditableTask> {
  if (!isTaskId(taskId)) throw new DomainError('NOT_FOUND', 'Task not found');
  ctx.state.taskId = taskId;
  const task = await editing.findTask(organizationId, taskId);
  const holder = heldBy(task);
  return editableTask(holder === taskId ? task : await editing.findTask(organizationId, holder));
}
