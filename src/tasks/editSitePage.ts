import { editableSitePage, type EditableTask } from '../editor/editableTask.ts';
import type { ContentChange } from '../editor/protocol.ts';
import { randomTaskId } from '../temporal/tasks/taskId.ts';
import type { RequestCaller } from './caller.ts';
import { type EditPorts, editorUrl, findEditable } from './editLink.ts';
import { editorUser } from './pageNotes.ts';
import type { NeededPorts } from './ports.ts';
import { taskConflict } from './taskResults.ts';
import {
  findCallerSite,
  findStartedTask,
  orStartFailed,
  type RequestIdempotency,
  startResolvedTask,
} from './startTask.ts';

type SitePageEditPorts = EditPorts & NeededPorts<'tasks' | 'sites'>;

/**
 * Milliseconds to wait for the preview of an edit. With an external host, a task waits longer for
 * its build than a person waits for a save.
 */
const PREVIEW_WAIT_MS = 10_000;

/**
 * Makes a link that lets its holder edit a page of a site. Saving the first edit starts a task.
 * @throws DomainError NOT_FOUND for an unknown site or page; SITE_WITHOUT_REPOSITORY;
 *   INVALID_INPUT for a page that is too large; UNAVAILABLE if the repository can't be read
 */
export async function createSiteEditLink(
  caller: RequestCaller,
  deps: EditPorts & NeededPorts<'sites'>,
  { siteId: requestedSiteId, slug }: { siteId: string; slug: string },
  signal?: AbortSignal,
): Promise<{ url: string; expiresAt: Date }> {
  const { editing } = deps;
  const site = await findCallerSite(caller, deps, requestedSiteId);
  const { organizationId, siteId } = site;
  await editing.editor.open(editableSitePage(site, slug), slug, signal);
  const grant = { organizationId, taskId: siteId, keyId: caller.keyId };
  const { token, expiresAt } = editing.grants.issue('link', grant);
  return { url: editorUrl(editing.publicUrl(), { taskId: siteId, slug, token }), expiresAt };
}

/** The first edit of a page of a site. */
export interface SitePageEdit {
  siteId: string;
  slug: string;
  change: ContentChange;
}

/**
 * Saves the first edit of a page of a site: commits it, and starts a task that shows it, which is
 * reviewed and published like any other. Waits for its preview for some seconds. A repeated request
 * with the same idempotency key gets the page of the first task, even if its answer was lost.
 * @returns the page under the id of the new task; null if the page already has the change
 * @throws DomainError as `PageEditor.save`; START_FAILED, TOO_MANY_IN_FLIGHT; CONFLICT if the
 *   preview can't be deployed
 */
export async function startSitePageEdit(
  caller: RequestCaller,
  deps: SitePageEditPorts,
  { siteId, slug, change }: SitePageEdit,
  idempotency: RequestIdempotency,
): Promise<EditableTask | null> {
  const site = await findCallerSite(caller, deps, siteId);
  const comparedRequest = { slug, change };
  const startedBefore = await findStartedTask(caller, deps, { site, comparedRequest }, idempotency);
  if (startedBefore) return findEditOf(caller, deps, startedBefore.taskId, slug);
  const { idempotencyKey } = idempotency;
  const taskId =
    idempotencyKey === undefined
      ? randomTaskId()
      : deps.tasks.idOf(caller.organizationId, idempotencyKey);
  const edit = { taskId, change, by: editorUser(caller) };
  const work = await deps.editing.editor.begin(editableSitePage(site, slug), slug, edit);
  if (work === null) return null;
  const task = { site, fields: { publish: false, work }, taskId, comparedRequest };
  await orStartFailed(() => startResolvedTask(caller, deps, task, idempotency));
  return findStartedEdit(caller, deps, { taskId, slug, commit: work.commit });
}

/** The page of a task that an equal request has started before. */
async function findEditOf(
  caller: RequestCaller,
  deps: SitePageEditPorts,
  taskId: string,
  slug: string,
): Promise<EditableTask> {
  const { work } = (await deps.tasks.request(caller.organizationId, taskId)).input;
  if (work.type !== 'edit') throw taskConflict('The task is not an edit of this page');
  return findStartedEdit(caller, deps, { taskId, slug, commit: work.commit });
}

/** The page of an edit task: with its preview, or without one while an external host builds it. */
async function findStartedEdit(
  { organizationId }: RequestCaller,
  deps: SitePageEditPorts,
  { taskId, slug, commit }: { taskId: string; slug: string; commit: string },
): Promise<EditableTask> {
  // a task that has not ended by then is shown without its preview
  await deps.tasks.closed(taskId, AbortSignal.timeout(PREVIEW_WAIT_MS)).catch(() => undefined);
  const { siteId, finished } = await deps.tasks.find(organizationId, taskId);
  if (finished?.status === 'failed')
    throw taskConflict(`The edit has no preview: ${finished.errorMessage}`);
  if (finished) return findEditable(deps, organizationId, taskId);
  const page = editableSitePage({ organizationId, siteId }, slug);
  return { ...page, taskId, commit, isSitePage: false };
}
