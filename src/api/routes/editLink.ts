import Router from '@koa/router';
import type { Accounts } from '../../accounts/accounts.ts';
import type { Editor } from '../../editor/editor.ts';
import type { Grants } from '../../editor/grants.ts';
import { editAddress } from '../../hosting/embedded/addresses.ts';
import { type EditableTask, editableTask, heldBy, pageOf, type TaskState } from '../../editor/task.ts';
import type { Shares } from '../../organizations/shares.ts';
import { type ApiContext, type ApiRouter, type ApiState, identityOf, type ValidBody } from '../context.ts';
import { jsonBody } from '../middleware/body.ts';
import { enter, type EnterDeps } from '../middleware/enter.ts';
import type { RoomDeps } from '../middleware/roomOnDisk.ts';
import { validate } from '../middleware/validate.ts';
import { type Previews, requirePreview } from '../../tasks/previews.ts';
import { editLinkBody, type EditLinkBody } from './editLink.schema.ts';
import { taskIdOf } from '../../tasks/start.ts';

/** What editing by hand needs. */
export interface Editing {
  editor: Editor;
  grants: Grants;
  /** Throws NOT_FOUND for an unknown task and for another organization's. */
  findTask(organizationId: string, taskId: string): Promise<TaskState>;
  /** The address that clients use. */
  publicUrl(): URL;
}

export interface EditLinkDeps extends EnterDeps, RoomDeps {
  editing: Editing;
  deployments: Previews;
  shares: Shares;
  accounts: Accounts;
}

/** How the key's organization lets somebody edit a task's pages: until there are accounts, a link is all they need. */
export function editLinkRoutes(deps: EditLinkDeps): ApiRouter {
  const router = new Router<ApiState>({ strict: true, sensitive: true });
  const body = jsonBody({ optional: true });
  router.post('/agent/tasks/:taskId/edit-link', ...enter(deps, 'create'), body, validate(editLinkBody), (ctx) =>
    createLink(ctx, deps),
  );
  return router;
}

/** The secret is in the fragment, which browsers never send and request logs never hold. */
async function createLink(ctx: ApiContext<ValidBody<EditLinkBody>>, deps: EditLinkDeps): Promise<void> {
  const { editing } = deps;
  const { organizationId, keyId } = identityOf(ctx);
  const task = await findEditable(deps, organizationId, taskIdOf(ctx));
  const { slug } = pageOf(task, ctx.state.body.slug ?? task.pages[0]?.slug ?? '/');
  const { token, expiresAt } = editing.grants.issue('link', { organizationId, taskId: task.taskId, keyId });
  ctx.body = {
    url: editorUrl(editing.publicUrl(), { taskId: task.taskId, slug, token }),
    expiresAt: expiresAt.toISOString(),
  };
}

/** Opens the editor at a page, in a browser. It holds a secret. */
export function editorUrl(publicUrl: URL, { taskId, slug, token }: { taskId: string; slug: string; token: string }) {
  const url = editAddress(publicUrl, taskId, slug);
  url.hash = `key=${token}`;
  return url.href;
}

/**
 * The task whose pages are edited: of one that published another one's result, that other one.
 * @throws DomainError NOT_FOUND, CONFLICT for a task without pages that can be edited, or whose preview is gone
 */
export async function findEditable(
  deps: Pick<EditLinkDeps, 'editing' | 'deployments'>,
  organizationId: string,
  taskId: string,
): Promise<EditableTask> {
  const { editing } = deps;
  const task = await editing.findTask(organizationId, taskId);
  const holder = heldBy(task);
  const editable = editableTask(holder === taskId ? task : await editing.findTask(organizationId, holder));
  await requirePreview(deps, holder);
  return editable;
}
