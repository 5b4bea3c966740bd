import { type EditableTask, editableTask, heldBy, pageOf } from '../editor/editableTask.ts';
import { editAddress } from '../editor/editAddress.ts';
import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';
import { requirePreview } from './previews.ts';

export type EditDeps = Needs<'editing' | 'deployments'>;

/**
 * Makes a link that lets somebody edit a task's pages.
 * @param slug of the page at which the editor opens; absent: the first
 * @throws DomainError as `findEditable` does; NOT_FOUND for a page that is not the task's
 */
export async function createEditLink(
  { organizationId, keyId }: Caller,
  deps: EditDeps,
  { taskId, slug: asked }: { taskId: string; slug?: string | undefined },
): Promise<{ url: string; expiresAt: Date }> {
  const { editing } = deps;
  const task = await findEditable(deps, organizationId, taskId);
  const { slug } = pageOf(task, asked ?? task.pages[0]?.slug ?? '/');
  const { token, expiresAt } = editing.grants.issue('link', {
    organizationId,
    taskId: task.taskId,
    keyId,
  });
  return { url: editorUrl(editing.publicUrl(), { taskId: task.taskId, slug, token }), expiresAt };
}

/**
 * Opens the editor at a page. Its secret is in the fragment, which browsers never send and request
 * logs never hold.
 */
export function editorUrl(
  publicUrl: URL,
  { taskId, slug, token }: { taskId: string; slug: string; token: string },
) {
  const url = editAddress(publicUrl, taskId, slug);
  url.hash = `key=${token}`;
  return url.href;
}

/**
 * The task whose pages are edited: of one that published another one's result, that other one.
 * @throws DomainError NOT_FOUND, CONFLICT for a task without pages that can be edited, or whose
 *   preview is gone
 */
export async function findEditable(
  deps: EditDeps,
  organizationId: string,
  taskId: string,
): Promise<EditableTask> {
  const { editing } = deps;
  const task = await editing.findTask(organizationId, taskId);
  const holder = heldBy(task);
  const editable = editableTask(
    holder === taskId ? task : await editing.findTask(organizationId, holder),
  );
  await requirePreview(deps, holder);
  return editable;
}
