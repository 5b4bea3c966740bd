import { isSiteId } from '../contract/site.ts';
import {
  type EditableTask,
  editableSitePage,
  toEditableTask,
  resultTaskId,
  editablePage,
} from '../editor/editableTask.ts';
import { editUrl } from '../editor/editUrl.ts';
import { onCode } from '../errors.ts';
import { findSite } from '../sites/git/registeredSite.ts';
import { editableRow } from './batches/editRow.ts';
import type { RequestCaller } from './caller.ts';
import type { NeededPorts } from './ports.ts';
import { requirePreview } from './previews.ts';

export type EditPorts = NeededPorts<'editing' | 'deployments'>;
export type EditPagePorts = EditPorts & NeededPorts<'batches'>;

/**
 * Makes a link that lets its holder edit a task's pages.
 * @param slug the page at which the editor opens; absent: the first one
 * @throws DomainError as `findEditable`; NOT_FOUND for a page of another task
 */
export async function createTaskEditLink(
  { organizationId, keyId }: RequestCaller,
  deps: EditPorts,
  { taskId, slug: requestedSlug }: { taskId: string; slug?: string | undefined },
): Promise<{ url: string; expiresAt: Date }> {
  const { editing } = deps;
  const task = await findEditable(deps, organizationId, taskId);
  const { slug } = editablePage(task, requestedSlug ?? task.pages[0]?.slug ?? '/');
  const { token, expiresAt } = editing.grants.issue('link', {
    organizationId,
    taskId: task.taskId,
    keyId,
  });
  return { url: editorUrl(editing.publicUrl(), { taskId: task.taskId, slug, token }), expiresAt };
}

/**
 * Makes a link that lets its holder edit a batch's pages.
 * @param slug the page at which the editor opens
 * @throws DomainError as `editableRow`
 */
export async function createBatchEditLink(
  { organizationId, keyId }: RequestCaller,
  deps: EditPagePorts,
  { batchId, slug }: { batchId: string; slug: string },
): Promise<{ url: string; expiresAt: Date }> {
  const { editing, batches } = deps;
  await editableRow(deps, await batches.find(organizationId, batchId), slug);
  const grant = { organizationId, taskId: batchId, keyId };
  const { token, expiresAt } = editing.grants.issue('link', grant);
  return { url: editorUrl(editing.publicUrl(), { taskId: batchId, slug, token }), expiresAt };
}

/**
 * The editor's address for a page. The link's secret is in the fragment: browsers never send it, so
 * request logs don't contain it.
 */
export function editorUrl(
  publicUrl: URL,
  { taskId, slug, token }: { taskId: string; slug: string; token: string },
) {
  const url = editUrl(publicUrl, taskId, slug);
  url.hash = `key=${token}`;
  return url.href;
}

/**
 * Finds the task under whose id pages are edited: for a publish task, the task that it published.
 * @throws DomainError NOT_FOUND, CONFLICT if the task has no editable pages or its preview is gone
 */
export async function findEditable(
  deps: EditPorts,
  organizationId: string,
  taskId: string,
): Promise<EditableTask> {
  const { editing } = deps;
  const task = await editing.findTask(organizationId, taskId);
  const holderId = resultTaskId(task);
  const editable = toEditableTask(
    holderId === taskId ? task : await editing.findTask(organizationId, holderId),
  );
  await requirePreview(deps, holderId);
  return editable;
}

/**
 * Finds the task, the batch or the site under whose id a page is edited.
 * @throws DomainError as `findEditable` and `editableRow`; NOT_FOUND for an unknown site
 */
export async function findEditablePage(
  deps: EditPagePorts & NeededPorts<'sites'>,
  organizationId: string,
  { id, slug }: { id: string; slug: string },
): Promise<EditableTask> {
  if (isSiteId(id)) {
    const site = await findSite(deps.sites, { organizationId, siteId: id });
    return editableSitePage(site, slug);
  }
  const batch = await deps.batches.find(organizationId, id).catch(onCode(['NOT_FOUND'], null));
  return batch ? editableRow(deps, batch, slug) : findEditable(deps, organizationId, id);
}
