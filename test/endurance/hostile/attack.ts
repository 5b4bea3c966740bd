/** What an attack is aimed at. */
export interface Aim {
  /** A member's Authorization value. */
  key: string;
  siteId: string;
  /** A completed task of the site, and one of another site. */
  taskId: string;
  otherTaskId: string;
  /** The sites' labels. */
  label: string;
  otherLabel: string;
}

/**
 * Bytes for a socket, and the statuses of all that comes back before the service closes it, in
 * order.
 */
export type Attack = [name: string, bytes: (aim: Aim) => string | Buffer, ...statuses: number[]];

const close = 'Connection: close';
export const tasks = '/api/v1/agent/tasks';
export const next = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

/** A request as it is written; the last on its connection. */
export const request = (
  method: string,
  target: string,
  fields: string[],
  body: string | Buffer = '',
) =>
  Buffer.concat([
    Buffer.from([`${method} ${target} HTTP/1.1`, ...fields, close, '', ''].join('\r\n')),
    Buffer.from(body),
  ]);

export const get = (target: string, ...fields: string[]) =>
  request('GET', target, ['Host: localhost', ...fields]);

/** GET with a key. */
export const read =
  (target: (aim: Aim) => string, ...fields: string[]) =>
  (aim: Aim) =>
    get(target(aim), `Authorization: ${aim.key}`, ...fields);

/** POST of a task with a key, and header fields of any kind. */
export const post =
  (fields: string[], body: string | Buffer | ((aim: Aim) => string)) => (aim: Aim) =>
    request(
      'POST',
      tasks,
      ['Host: localhost', `Authorization: ${aim.key}`, ...fields],
      typeof body === 'function' ? body(aim) : body,
    );

/** POST of a JSON body with a key. */
export const create =
  (body: string | Buffer | ((aim: Aim) => string), ...fields: string[]) =>
  (aim: Aim) => {
    const bytes = Buffer.from(typeof body === 'function' ? body(aim) : body);
    return post(
      ['Content-Type: application/json', `Content-Length: ${bytes.length}`, ...fields],
      bytes,
    )(aim);
  };
