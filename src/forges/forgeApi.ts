import { LRUCache } from 'lru-cache';
import { type JsonLimits, parseBoundedJson } from '../contract/text/boundedJson.ts';
import { DomainError } from '../errors.ts';
import { copyToOwnMemory } from '../copyToOwnMemory.ts';
import { createSingleFlight } from '../singleFlight.ts';
import { forgeRefusal, refusedStatus } from './apiErrors.ts';
import { type AnswerOf, type AnswerSchema, readDocumentedAnswer } from './documentedAnswers.ts';
import type { HttpResponse, HttpRequest, SendHttp } from './forgeProject.ts';
import type { CredentialLimits } from './credentialLimits.ts';
import { parseUrl } from '../contract/text/parseUrl.ts';

/** The most pages of one list that are read. */
const PAGES = 10;
/** Maximum number of bytes in one answer. A page of 100 statuses has 0.2 MB. */
const MAX_ANSWER_BYTES = 1_000_000;
/** A page of 30 of GitHub's pull requests has 15,000 values. */
const answerLimits: JsonLimits = { depth: 32, values: 25_000 };
/** The most redirects of one request. Forges redirect from a project's old name to the new one. */
const REDIRECTS = 3;

/** A request to a forge's API. */
export interface ForgeApiRequest<Schema extends AnswerSchema> {
  /** What it is for, as in `refused to read the project`. */
  what: string;
  /** The path below the API's URL, with a `/` at its start. */
  path: string;
  /** The documented fields of the answer that we use. Other fields are ignored. */
  answer: Schema;
}

/** A request that changes something at the forge. */
export interface ForgeApiWrite<Schema extends AnswerSchema> extends ForgeApiRequest<Schema> {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body: object;
}

/** The token of one credential. */
export interface TokenSource {
  /** The value of the header field `authorization`. */
  authorization(signal: AbortSignal): Promise<string>;
  /** Forgets a token that the forge refused. @returns whether the next one may be another */
  forget(): boolean;
}

/** A forge's API, with one credential. Every method throws what `ForgeProject` documents. */
export interface ForgeApi {
  read<Schema extends AnswerSchema>(
    request: ForgeApiRequest<Schema>,
    signal: AbortSignal,
  ): Promise<AnswerOf<Schema>>;
  /** The pages of a list, at most 10. */
  pages<Schema extends AnswerSchema>(
    request: ForgeApiRequest<Schema>,
    signal: AbortSignal,
  ): AsyncGenerator<AnswerOf<Schema>>;
  write<Schema extends AnswerSchema>(
    request: ForgeApiWrite<Schema>,
    signal: AbortSignal,
  ): Promise<AnswerOf<Schema>>;
}

/** Answers by URL. With their ETag, the forge needs to say only whether they have changed. */
export type CachedAnswers = LRUCache<string, HttpResponse>;

/** @param bytes the most bytes of all answers together */
export const createAnswerCache = (bytes: number): CachedAnswers =>
  new LRUCache({ maxSize: bytes, sizeCalculation: ({ body }) => body.length + 1_000 });

export interface ForgeApiOptions {
  send: SendHttp;
  /** The API's URL, without a slash at its end. */
  apiUrl: string;
  /** Header fields of every request. */
  headers: Record<string, string>;
  tokens: TokenSource;
  /** The credential's rate limits. */
  limits: CredentialLimits;
  known: CachedAnswers;
  /** Identifies the credential, so that no answer for it is given to another one. */
  id: string;
}

interface DescribedRequest extends HttpRequest {
  what: string;
}

/**
 * Creates a client of a forge's JSON API. Equal reads at the same time share one request. The token
 * is sent to the API's own origin only. For example, `read({ what: 'read the project', path:
 * '/repos/team/site', answer: { archived: 'flag' } }, signal)` → `{ archived: false }`.
 */
export function createForgeApi(options: ForgeApiOptions): ForgeApi {
  const { send, apiUrl, headers, tokens, limits, known, id } = options;
  const shareFlight = createSingleFlight<HttpResponse>();
  let writeCount = 0;

  async function sendAuthorized(
    request: DescribedRequest,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    const { what, ...outgoing } = request;
    limits.check();
    const authorization = await tokens.authorization(signal);
    const authorizedRequest = {
      ...outgoing,
      headers: { ...headers, ...outgoing.headers, authorization },
    };
    const response = await send(authorizedRequest, signal);
    limits.note(response);
    if (response.status < 400) return response;
    throw forgeRefusal(response, { what, host: new URL(apiUrl).host, secret: authorization });
  }

  const sendWithRetry = (request: DescribedRequest, signal: AbortSignal): Promise<HttpResponse> =>
    sendAuthorized(request, signal).catch((error: unknown) => {
      if (refusedStatus(error) === 401 && tokens.forget()) return sendAuthorized(request, signal);
      throw error;
    });

  /** Follows the redirects of renamed projects, as long as they lead to the same origin. */
  async function followRedirects(
    request: DescribedRequest,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    let currentRequest = request;
    for (let n = 0; n <= REDIRECTS; n++) {
      const response = await sendWithRetry(currentRequest, signal);
      if (![301, 302, 307, 308].includes(response.status)) return response;
      const url = parseUrl(response.headers['location'] || 'no-address:', currentRequest.url);
      if (url?.origin !== new URL(apiUrl).origin) break;
      currentRequest = { ...currentRequest, url: url.href };
    }
    throw new DomainError(
      'FORGE_REFUSED',
      `${new URL(apiUrl).host} did not ${request.what}, because it redirects to another origin`,
    );
  }

  async function getCached(
    readRequest: DescribedRequest,
    signal: AbortSignal,
  ): Promise<HttpResponse> {
    const cacheKey = `${id} ${readRequest.url}`;
    const cachedAnswer = known.get(cacheKey);
    const etag = cachedAnswer?.headers['etag'];
    const conditionalRequest =
      etag === undefined ? readRequest : { ...readRequest, headers: { 'if-none-match': etag } };
    const response = await followRedirects(conditionalRequest, signal);
    if (response.status === 304 && cachedAnswer) return cachedAnswer;
    if (response.status === 200 && response.headers['etag'] !== undefined)
      known.set(cacheKey, { ...response, body: copyToOwnMemory(response.body) });
    return response;
  }

  /** Shares equal reads. A read that begins after a write never gets an answer from before it. */
  const readShared = (readRequest: DescribedRequest, signal: AbortSignal) =>
    shareFlight(
      `${writeCount} ${readRequest.url}`,
      (flightSignal) => getCached(readRequest, flightSignal),
      signal,
    );

  return {
    async read({ what, path, answer }, signal) {
      return parseAnswer(await readShared({ what, url: apiUrl + path }, signal), what, answer);
    },

    async *pages({ what, path, answer }, signal) {
      let url = apiUrl + path;
      for (let page = 0; page < PAGES; page++) {
        const incoming = await readShared({ what, url }, signal);
        yield parseAnswer(incoming, what, answer);
        const query = nextPageQuery(incoming.headers['link'] ?? '');
        if (query === undefined) return;
        url = apiUrl + path.split('?', 1)[0] + query;
      }
    },

    async write({ what, method, path, body, answer }, signal) {
      writeCount++;
      const request = {
        what,
        url: apiUrl + path,
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      };
      try {
        return parseAnswer(await followRedirects(request, signal), what, answer);
      } finally {
        writeCount++;
      }
    },
  };
}

/** Reads the documented fields. Limits bytes and values, because parsing blocks the process. */
function parseAnswer<Schema extends AnswerSchema>(
  { body }: HttpResponse,
  what: string,
  answer: Schema,
) {
  if (body.length > MAX_ANSWER_BYTES)
    throw undocumentedAnswer(what, `it is larger than ${MAX_ANSWER_BYTES} bytes`);
  try {
    const isRead = body.length > 0 && answer !== 'nothing';
    const value = isRead ? parseBoundedJson(body.toString(), answerLimits) : null;
    return readDocumentedAnswer(value, answer);
  } catch (error) {
    throw undocumentedAnswer(what, error instanceof RangeError ? error.message : 'it is not JSON');
  }
}

const undocumentedAnswer = (what: string, problem: string) =>
  new DomainError(
    'UNAVAILABLE',
    `The response of the forge to the request to ${what} differs from its API documentation: ${problem}`,
    { retryable: true },
  );

/**
 * The query of a list's next page, from the `link` header (RFC 8288). The rest of the URL is not
 * used, because a forge behind a proxy may use another host there.
 */
function nextPageQuery(link: string): string | undefined {
  const nextLink = link.split(/,\s*(?=<)/).find((part) => /;\s*rel="?next"?/.test(part));
  return nextLink && parseUrl(nextLink.slice(nextLink.indexOf('<') + 1).split('>', 1)[0]!)?.search;
}
