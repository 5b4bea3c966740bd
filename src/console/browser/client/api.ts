import { type HostPath, hostPath } from '../../../browser/hostPath.ts';
import {
  type RequestInput,
  postRequest,
  readResponse,
  sendRequest,
} from '../../../browser/sendRequest.ts';
import { currentKey, forgetKey } from './session.ts';

/**
 * Calls /api/v1 as the signed-in person. Replaces an expired key once.
 * @throws RefusedRequestError if the service refuses the request or does not answer
 */
export async function api<T>(apiPath: HostPath, options: RequestInput = {}): Promise<T> {
  const sendOnce = async () =>
    sendRequest(hostPath`/api/v1${apiPath}`, {
      ...options,
      headers: { ...options.headers, Authorization: `Bearer ${await currentKey()}` },
    });
  const response = await sendOnce();
  if (response.status !== 401) return readResponse<T>(response);
  forgetKey();
  return readResponse<T>(await sendOnce());
}

/** Calls /account with the session alone, without a key. */
export const callAccount = async <T>(apiPath: HostPath, options: RequestInput = {}): Promise<T> =>
  readResponse<T>(await sendRequest(hostPath`/account${apiPath}`, options));

/** Sends a POST request to /api/v1, as `api` does. */
export const post = <T>(
  apiPath: HostPath,
  body?: unknown,
  moreOptions: Pick<RequestInput, 'headers' | 'signal'> = {},
): Promise<T> => api<T>(apiPath, { ...postRequest(body), ...moreOptions });

/**
 * Reads a whole list of the API, one part after the other.
 * @param name the field of the response that holds the items
 */
export async function readAllItems<T>(
  listPath: HostPath,
  name: string,
  fields: Record<string, string> = {},
): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null = null;
  do {
    const listPart: Record<string, unknown> = await api(listPath, { query: { ...fields, cursor } });
    items.push(...(listPart[name] as T[]));
    cursor = listPart['nextCursor'] as string | null;
  } while (cursor !== null);
  return items;
}
