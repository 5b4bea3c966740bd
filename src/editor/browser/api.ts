// The editor's requests to the service. Every address is below /edit/<taskId>/: the session's cookie goes nowhere else.

import { path, pathOfPage } from '../../browser/path.ts';

/** @import { Path } from '../../browser/path.ts' */
/** @import { Change, OfferedPage, PublishCheck, PublishView } from '../protocol.ts' */

const [, task = '', rest = ''] = /^\/edit\/([^/]+)(\/.*)?$/.exec(location.pathname) ?? [];

/** The task and the page that the address names. */
export const address = { taskId: decode(task), slug: decode(rest) || '/' };

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text).replace(/(?<=.)\/$/, '');
  } catch {
    return text;
  }
}

export class Refusal extends Error {
  /**
   * @param {number} status of the answer, 0 where there was none
   * @param {string} message
   */
  constructor(status, message) {
    super(message);
    this.status = status;
  }

  /** The link or the session is missing, or has expired. */
  get isLocked() {
    return this.status === 401;
  }

  /** Who is signed in may not edit this page. */
  get isForbidden() {
    return this.status === 403;
  }

  /** The page was changed since it was opened. */
  get isOutdated() {
    return this.status === 412;
  }
}

const here = path`/edit/${address.taskId}`;
/** Of requests for the page. */
const query = `?${new URLSearchParams({ slug: address.slug }).toString()}`;
export const frameUrl = () => path`${here}/.frame`.address + query;
/** @param {string} slug */
export const pageUrl = (slug) => path`${here}${pathOfPage(slug)}`.address;

/** @param {string} key the link's */
export const openSession = (key) => ask(path`${here}/.session`, 'POST', { key });

export async function openPage() {
  return /** @type {OfferedPage} */ (await ask(path`${here}/.page`, 'GET', undefined, query));
}

/**
 * @param {Change} change
 * @returns the page as it is with the change
 */
export async function savePage(change) {
  return /** @type {OfferedPage} */ (await ask(path`${here}/.page`, 'PUT', change, query));
}

/**
 * Says what became of notes.
 * @param {string[]} notes their ids
 * @param {'open' | 'done' | 'kept'} state
 */
export async function settleNotes(notes, state) {
  return /** @type {OfferedPage} */ (await ask(path`${here}/.notes`, 'POST', { notes, state }, query));
}

const PUBLISH_EVERY_MS = 1_000;

/** What else would go live. @returns {Promise<PublishCheck>} */
export const checkPublish = async () => /** @type {PublishCheck} */ (await ask(path`${here}/.publish`, 'GET'));

/**
 * Puts the task's result live, with its edits, and waits for it.
 * @throws {Refusal} where it can't be put live
 */
export async function publish() {
  const { taskId: publishId } = /** @type {{ taskId: string }} */ (await ask(path`${here}/.publish`, 'POST', {}));
  for (;;) {
    const view = /** @type {PublishView} */ (await ask(path`${here}/.publish/${publishId}`, 'GET'));
    if (view.status === 'failed') throw new Refusal(409, view.error);
    if (view.status === 'completed') return;
    await new Promise((resolve) => setTimeout(resolve, PUBLISH_EVERY_MS));
  }
}

/**
 * @param {Path} to
 * @param {'GET' | 'POST' | 'PUT'} method
 * @param {object} [body]
 * @param {string} [search] the address's query
 * @returns {Promise<unknown>} the answer's JSON
 * @throws {Refusal} for an answer that is no success, and for none
 */
async function ask(to, method, body, search = '') {
  const content = body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(to.address + search, { method, ...content }).catch(() => {
    throw new Refusal(0, 'The service does not answer. What you typed is still here: try again in a moment.');
  });
  /** @type {unknown} */
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal(response.status, errorIn(answer) ?? `The service answered ${response.status}.`);
  return answer;
}

/** @param {unknown} answer */
function errorIn(answer) {
  const hasError = typeof answer === 'object' && answer !== null && 'error' in answer;
  return hasError && typeof answer.error === 'string' ? answer.error : undefined;
}
