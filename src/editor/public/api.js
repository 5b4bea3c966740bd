// What the editor asks of the service. Everything is below /edit/<taskId>/, where the session's cookie goes.

const [, taskId = '', path = ''] = /^\/edit\/([^/]+)(\/.*)?$/.exec(location.pathname) ?? [];

/** The task and the page that the address names. */
export const address = { taskId, slug: decode(path) || '/' };

function decode(text) {
  try {
    return decodeURIComponent(text).replace(/(?<=.)\/$/, '');
  } catch {
    return text;
  }
}

export class Refusal extends Error {
  /** @param {number} status of the answer, 0 where there was none */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const urlOf = (name) => `/edit/${taskId}/.${name}?slug=${encodeURIComponent(address.slug)}`;
export const frameUrl = () => urlOf('frame');
export const pageUrl = (slug) => `/edit/${taskId}${slug.split('/').map(encodeURIComponent).join('/')}`;

export const openSession = (key) => ask(`/edit/${taskId}/.session`, 'POST', { key });
export const openPage = () => ask(urlOf('page'), 'GET');
export const savePage = (change) => ask(urlOf('page'), 'PUT', change);

async function ask(url, method, body) {
  const headers = body ? { 'Content-Type': 'application/json' } : {};
  const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) }).catch(() => {
    throw new Refusal(0, 'The service does not answer. What you typed is still here: try again in a moment.');
  });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refusal(response.status, answer.error ?? `The service answered ${response.status}.`);
  return answer;
}
