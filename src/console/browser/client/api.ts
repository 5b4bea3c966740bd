import { type Asked, read, Refused, send } from './http.ts';
import { currentKey, forgetKey } from './session.ts';

/** A call of /api/v1 as the signed-in person. @throws Refused */
export async function api<T>(path: string, asked: Asked = {}): Promise<T> {
  return read<T>(await apiResponse(path, asked));
}

/** As `api`, for answers that are read as they come. A key that has ended meanwhile is made anew once. */
export async function apiResponse(path: string, asked: Asked = {}): Promise<Response> {
  const once = async () =>
    send(path`/api/v1${path}`, {
      ...asked,
      headers: { ...asked.headers, Authorization: `Bearer ${await currentKey()}` },
    });
  const response = await once();
  if (response.status !== 401) return response;
  forgetKey();
  return once();
}

/** A call of /account, by the session alone. */
export const account = async <T>(path: string, asked: Asked = {}): Promise<T> =>
  read<T>(await send(path`/account${path}`, asked));

export const post = <T>(path: string, body: unknown = {}, headers: Record<string, string> = {}) =>
  api<T>(path, { method: 'POST', body, headers });

/** A query of those fields that have a value. */
export function queryOf(fields: Record<string, string | number | null | undefined>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

/** Every part of a list, one after the other. */
export async function all<T>(path: string, name: string, fields: Record<string, string> = {}): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const part: Record<string, unknown> = await api(`${path}${queryOf({ ...fields, cursor })}`);
    items.push(...(part[name] as T[]));
    cursor = part['nextCursor'] as string | null;
  } while (cursor !== null);
  return items;
}

export const isMissing = (error: unknown) => error instanceof Refused && error.status === 404;
