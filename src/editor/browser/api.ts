// The editor's requests to the service. Every URL is below /edit/<taskId>/, because the session's
// cookie is sent only there. A page of the site has the id of the site until its first save.

import {
  type RequestInput,
  postRequest,
  queryString,
  readResponse,
  RefusedRequestError,
  sendRequest,
} from '../../browser/sendRequest.ts';
import { decodeForPeople, type HostPath, hostPath, pagePath } from '../../browser/hostPath.ts';
import type { PublishCheckResponse, StartedTaskResponse } from '../../contract/responses.ts';
import type { SettableNoteState } from '../../contract/notes/noteStates.ts';
import type { EditorChange, OfferedPage, PublishView } from '../protocol.ts';

const [, encodedTaskId = '', encodedPagePath = ''] =
  /^\/edit\/([^/]+)(\/.*)?$/.exec(location.pathname) ?? [];

/** The task and the page that the URL of the editor names. */
export const editedPage = {
  taskId: decodeForPeople(encodedTaskId),
  slug: decodeForPeople(encodedPagePath).replace(/\/$/, '') || '/',
};

const hasStatus = (error: unknown, status: number) =>
  error instanceof RefusedRequestError && error.status === status;

/** Whether the link or the session is missing, or has expired. */
export const isLocked = (error: unknown) => hasStatus(error, 401);
/** Whether the person who is signed in may not edit this page. */
export const isForbidden = (error: unknown) => hasStatus(error, 403);
/** Whether the page was changed since it was opened. */
export const isOutdated = (error: unknown) => hasStatus(error, 412);
/** Whether the service did not answer. */
export const isUnanswered = (error: unknown) => hasStatus(error, 0);

let taskPath = hostPath`/edit/${editedPage.taskId}`;
/** The query of requests for the page. */
const query = { slug: editedPage.slug };
export const frameUrl = () => hostPath`${taskPath}/.frame`.address + queryString(query);
export const pageUrl = (slug: string) => hostPath`${taskPath}${pagePath(slug)}`.address;

/** @throws {RefusedRequestError} if the service refuses the request, or does not answer */
const requestJson = async <T>(target: HostPath, request: RequestInput = {}): Promise<T> =>
  readResponse<T>(await sendRequest(target, request));

/** @param key the secret of the editing link */
export const openSession = (key: string) =>
  requestJson(hostPath`${taskPath}/.session`, postRequest({ key }));

export const fetchPage = () => requestJson<OfferedPage>(hostPath`${taskPath}/.page`, { query });

/** The last change that was sent, and the key under which it starts a task at most once. */
let sentChange = { change: '', key: '' };

/** The same key for the same change, so that saving again after a lost answer repeats nothing. */
function idempotencyKeyFor(change: EditorChange): string {
  const changeText = JSON.stringify(change);
  if (sentChange.change !== changeText)
    sentChange = { change: changeText, key: `edit-${randomHex()}` };
  return sentChange.key;
}

/** Works on pages without HTTPS too, where `crypto.randomUUID` is missing. */
const randomHex = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

/**
 * Saves a change. The first save of a page of the site makes it a page of a new task, to which the
 * later requests belong.
 * @returns the page after the change
 */
export async function savePage(change: EditorChange): Promise<OfferedPage> {
  const target = hostPath`${taskPath}/.page`;
  const headers = { 'Idempotency-Key': idempotencyKeyFor(change) };
  const page = await requestJson<OfferedPage>(target, {
    method: 'PUT',
    query,
    body: change,
    headers,
  });
  if (page.taskId !== undefined && page.taskId !== editedPage.taskId) {
    editedPage.taskId = page.taskId;
    taskPath = hostPath`/edit/${page.taskId}`;
    history.replaceState(null, '', pageUrl(page.slug));
  }
  return page;
}

/**
 * Records what became of notes.
 * @param notes ids of the notes
 */
export const resolvePageNotes = (notes: string[], state: SettableNoteState) =>
  requestJson<OfferedPage>(hostPath`${taskPath}/.notes`, {
    method: 'POST',
    query,
    body: { notes, state },
  });

const PUBLISH_EVERY_MS = 1_000;

/** Asks what else a publish would put live. */
export const checkPublish = () => requestJson<PublishCheckResponse>(hostPath`${taskPath}/.publish`);

/**
 * Publishes the task's result with its edits, and waits until that has ended.
 * @param onWait called with what the publish waits for outside of this service, in words
 * @throws {RefusedRequestError} if the result can't be put live
 */
export async function publishEdits(onWait: (reason: string) => void): Promise<void> {
  const { taskId } = await requestJson<StartedTaskResponse>(
    hostPath`${taskPath}/.publish`,
    postRequest(),
  );
  for (;;) {
    const view = await requestJson<PublishView>(hostPath`${taskPath}/.publish/${taskId}`);
    if (view.status === 'failed') throw new RefusedRequestError(409, view.error);
    if (view.status === 'completed') return;
    if (view.waitsFor !== undefined) onWait(view.waitsFor);
    await new Promise((resolve) => setTimeout(resolve, PUBLISH_EVERY_MS));
  }
}
