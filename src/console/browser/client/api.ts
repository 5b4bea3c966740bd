import { type Path, path } from '../../../browser/path.ts';
import { type Asked, posting, read, send } from '../../../browser/http.ts';
import { currentKey, forgetKey } from './session.ts';

/**
 * Calls /api/v1 as the signed-in person. An expired key is replaced once.
 * @throws Refused
 */
export async function api<T>(to: Path, asked: Asked = {}): Promise<T> {
  const once = async () =>
    send(path`/api/v1${to}`, {
      ...asked,
      headers: { ...asked.headers, Authorization: `Bearer ${await currentKey()}` },
    });
  const response = await once();
  if (response.status !== 401) return read<T>(response);
  forgetKey();
  return read<T>(await once());
}

/** Calls /account with the session alone, without a key. */
export const account = async <T>(to: Path, asked: Asked = {}): Promise<T> =>
  read<T>(await send(path`/account${to}`, asked));

export const post = <T>(
  to: Path,
  body?: unknown,
  more: Pick<Asked, 'headers' | 'signal'> = {},
): Promise<T> => api<T>(to, { ...posting(body), ...more });

/** Reads all parts of a list, one after the other. */
export async function all<T>(
  from: Path,
  name: string,
  fields: Record<string, string> = {},
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const part: Record<string, unknown> = await api(from, { query: { ...fields, cursor } });
    items.push(...(part[name] as T[]));
    cursor = part['nextCursor'] as string | null;
  } while (cursor !== null);
  return items;
}
