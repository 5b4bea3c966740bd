// The editor's requests to the service. Every address is below /edit/<taskId>/: the session's cookie goes nowhere else.

/** @import { Change, OfferedPage, PublishView } from '../protocol.ts' */

const [, taskId = '', path = ''] = /^\/edit\/([^/]+)(\/.*)?$/.exec(location.pathname) ?? [];

/** The task and the page that the address names. */
export const address = { taskId, slug: decode(path) || '/' };

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

/** @param {'frame' | 'page'} name */
const urlOf = (name) => `/edit/${taskId}/.${name}?slug=${encodeURIComponent(address.slug)}`;
export const frameUrl = () => urlOf('frame');
/** @param {string} slug */
export const pageUrl = (slug) => `/edit/${taskId}${slug.split('/').map(encodeURIComponent).join('/')}`;

/** @param {string} key the link's */
export const openSession = (key) => ask(`/edit/${taskId}/.session`, 'POST', { key });

export async function openPage() {
  return /** @type {OfferedPage} */ (await ask(urlOf('page'), 'GET'));
}

/**
 * @param {Change} change
 * @returns the page as it is with the change
 */
export async function savePage(change) {
  return /** @type {OfferedPage} */ (await ask(urlOf('page'), 'PUT', change));
}

const PUBLISH_EVERY_MS = 1_000;

/**
 * Puts the task's result live, with its edits, and waits for it.
 * @throws {Refusal} where it can't be put live
 */
export async function publish() {
  const { taskId: publishId } = /** @type {{ taskId: string }} */ (await ask(`/edit/${taskId}/.publish`, 'POST', {}));
  for (;;) {
    const view = /** @type {PublishView} */ (await ask(`/edit/${taskId}/.publish/${publishId}`, 'GET'));
    if (view.status === 'failed') throw new Refusal(409, view.error);
    if (view.status === 'completed') return;
    await new Promise((resolve) => setTimeout(resolve, PUBLISH_EVERY_MS));
  }
}

/**
 * @param {string} url
 * @param {'GET' | 'POST' | 'PUT'} method
 * @param {object} [body]
 * @returns {Promise<unknown>} the answer's JSON
 * @throws {Refusal} for an answer that is no success, and for none
 */
async function ask(url, method, body) {
  const content = body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(url, { method, ...content }).catch(() => {
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
