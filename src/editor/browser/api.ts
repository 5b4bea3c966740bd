// The editor's requests to the service. Every address is below /edit/<taskId>/, because the
// session's cookie is sent only there.

import { type Asked, posting, queryOf, read, Refused, send } from '../../browser/http.ts';
import { decoded, type Path, path, pathOfPage } from '../../browser/path.ts';
import type { PublishCheck, Started } from '../../contract/answers.ts';
import type { SaidState } from '../../contract/noteStates.ts';
import type { Change, OfferedPage, PublishView } from '../protocol.ts';

const [, task = '', rest = ''] = /^\/edit\/([^/]+)(\/.*)?$/.exec(location.pathname) ?? [];

/** The task and the page that the address names. */
export const address = { taskId: decoded(task), slug: decoded(rest).replace(/\/$/, '') || '/' };

const hasStatus = (error: unknown, status: number) =>
  error instanceof Refused && error.status === status;

/** Whether the link or the session is missing, or has expired. */
export const isLocked = (error: unknown) => hasStatus(error, 401);
/** Whether the person who is signed in may not edit this page. */
export const isForbidden = (error: unknown) => hasStatus(error, 403);
/** Whether the page was changed since it was opened. */
export const isOutdated = (error: unknown) => hasStatus(error, 412);
/** Whether the service did not answer. */
export const isUnanswered = (error: unknown) => hasStatus(error, 0);

const here = path`/edit/${address.taskId}`;
/** The query of requests for the page. */
const query = { slug: address.slug };
export const frameUrl = () => path`${here}/.frame`.address + queryOf(query);
export const pageUrl = (slug: string) => path`${here}${pathOfPage(slug)}`.address;

/** @throws {Refused} if the service refuses the request, or does not answer */
const ask = async <T>(to: Path, asked: Asked = {}): Promise<T> => read<T>(await send(to, asked));

/** @param key the secret of the editing link */
export const openSession = (key: string) => ask(path`${here}/.session`, posting({ key }));

export const openPage = () => ask<OfferedPage>(path`${here}/.page`, { query });

/** @returns the page after the change */
export const savePage = (change: Change) =>
  ask<OfferedPage>(path`${here}/.page`, { method: 'PUT', query, body: change });

/**
 * Records what became of notes.
 * @param notes ids of the notes
 */
export const settleNotes = (notes: string[], state: SaidState) =>
  ask<OfferedPage>(path`${here}/.notes`, { method: 'POST', query, body: { notes, state } });

const PUBLISH_EVERY_MS = 1_000;

/** Asks what else a publish would put live. */
export const checkPublish = () => ask<PublishCheck>(path`${here}/.publish`);

/**
 * Publishes the task's result with its edits, and waits for the end of that.
 * @param onWait called with what is waited for outside of this service, in words
 * @throws {Refused} if it can't be put live
 */
export async function publish(onWait: (what: string) => void): Promise<void> {
  const { taskId } = await ask<Started>(path`${here}/.publish`, posting());
  for (;;) {
    const view = await ask<PublishView>(path`${here}/.publish/${taskId}`);
    if (view.status === 'failed') throw new Refused(409, view.error);
    if (view.status === 'completed') return;
    if (view.waitsFor !== undefined) onWait(view.waitsFor);
    await new Promise((resolve) => setTimeout(resolve, PUBLISH_EVERY_MS));
  }
}
