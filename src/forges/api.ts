import { LRUCache } from 'lru-cache';
import { type JsonLimits, parseBoundedJson } from '../contract/boundedJson.ts';
import { DomainError } from '../errors.ts';
import { ownMemory } from '../ownMemory.ts';
import { createSingleFlight } from '../singleFlight.ts';
import { refusal, statusOf } from './apiErrors.ts';
import { type AnswerOf, type AnswerSchema, readAnswer } from './documentedAnswers.ts';
import type { Incoming, Outgoing, Send } from './forge.ts';
import type { Limits } from './limits.ts';

/** Pages of one list that are read. */
const PAGES = 10;
/** Maximum number of bytes in one answer. A page of 100 statuses has 0.2 MB. */
const MAX_ANSWER_BYTES = 1_000_000;
/** A page of 30 of GitHub's pull requests has 15,000 values. */
const answerLimits: JsonLimits = { depth: 32, values: 25_000 };
/** Redirects of one request: a renamed project's. */
const REDIRECTS = 3;

/** A request to a forge's API. */
export interface ApiRequest<Schema extends AnswerSchema> {
  /** What it is for, as in `refused to read the project`. */
  what: string;
  /** Below the API's address, beginning with `/`. */
  path: string;
  /** The answer that the forge documents. Other fields are dropped. */
  answer: Schema;
}

export interface ApiWrite<Schema extends AnswerSchema> extends ApiRequest<Schema> {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body: object;
}

/** The token of one credential. */
export interface Tokens {
  /** The value of the header field `authorization`. */
  authorization(signal: AbortSignal): Promise<string>;
  /** Forgets a token that the forge refused. @returns whether there may be another */
  forget(): boolean;
}

/** A forge's API, with one credential. Every method throws what `Forge` documents. */
export interface Api {
  read<Schema extends AnswerSchema>(
    request: ApiRequest<Schema>,
    signal: AbortSignal,
  ): Promise<AnswerOf<Schema>>;
  /** The pages of a list, at most 10. */
  pages<Schema extends AnswerSchema>(
    request: ApiRequest<Schema>,
    signal: AbortSignal,
  ): AsyncGenerator<AnswerOf<Schema>>;
  write<Schema extends AnswerSchema>(
    request: ApiWrite<Schema>,
    signal: AbortSignal,
  ): Promise<AnswerOf<Schema>>;
}

/** Answers by address, which the forge is asked about again by their ETag. */
export type KnownAnswers = LRUCache<string, Incoming>;

/** @param bytes of all answers together */
export const knownAnswers = (bytes: number): KnownAnswers =>
  new LRUCache({ maxSize: bytes, sizeCalculation: ({ body }) => body.length + 1_000 });

export interface ApiOptions {
  send: Send;
  /** Without a slash at its end. */
  apiUrl: string;
  /** Header fields of every request. */
  headers: Record<string, string>;
  tokens: Tokens;
  /** Of the credential. */
  limits: Limits;
  known: KnownAnswers;
  /** Of the credential. Answers for one are not given to another. */
  id: string;
}

interface Asked extends Outgoing {
  what: string;
}

/**
 * Creates a client of a forge's JSON API. Equal reads at the same time are one request. The token
 * goes to the API's own origin only.
 */
export function createApi(options: ApiOptions): Api {
  const { send, apiUrl, headers, tokens, limits, known, id } = options;
  const once = createSingleFlight<Incoming>();
  let writes = 0;

  async function authorized(request: Asked, signal: AbortSignal): Promise<Incoming> {
    const { what, ...outgoing } = request;
    limits.check();
    const authorization = await tokens.authorization(signal);
    const sent = { ...outgoing, headers: { ...headers, ...outgoing.headers, authorization } };
    const answer = await send(sent, signal);
    limits.note(answer);
    if (answer.status < 400) return answer;
    throw refusal(answer, { what, host: new URL(apiUrl).host, secret: authorization });
  }

  const ask = (request: Asked, signal: AbortSignal): Promise<Incoming> =>
    authorized(request, signal).catch((error: unknown) => {
      if (statusOf(error) === 401 && tokens.forget()) return authorized(request, signal);
      throw error;
    });

  /** Follows redirects of projects that were renamed, which lead to the same origin. */
  async function follow(request: Asked, signal: AbortSignal): Promise<Incoming> {
    let asked = request;
    for (let n = 0; n <= REDIRECTS; n++) {
      const answer = await ask(asked, signal);
      if (![301, 302, 307, 308].includes(answer.status)) return answer;
      const url = URL.parse(answer.headers['location'] || 'no-address:', asked.url);
      if (url?.origin !== new URL(apiUrl).origin) break;
      asked = { ...asked, url: url.href };
    }
    throw new DomainError(
      'FORGE_REFUSED',
      `${new URL(apiUrl).host} did not ${request.what}: it redirects to another address`,
    );
  }

  async function get(asked: Asked, signal: AbortSignal): Promise<Incoming> {
    const key = `${id} ${asked.url}`;
    const before = known.get(key);
    const etag = before?.headers['etag'];
    const conditional =
      etag === undefined ? asked : { ...asked, headers: { 'if-none-match': etag } };
    const answer = await follow(conditional, signal);
    if (answer.status === 304 && before) return before;
    if (answer.status === 200 && answer.headers['etag'] !== undefined)
      known.set(key, { ...answer, body: ownMemory(answer.body) });
    return answer;
  }

  /** A read that begins after a write is not answered from before it. */
  const shared = (asked: Asked, signal: AbortSignal) =>
    once(`${writes} ${asked.url}`, (end) => get(asked, end), signal);

  return {
    async read({ what, path, answer }, signal) {
      return parsed(await shared({ what, url: apiUrl + path }, signal), what, answer);
    },

    async *pages({ what, path, answer }, signal) {
      let url = apiUrl + path;
      for (let page = 0; page < PAGES; page++) {
        const incoming = await shared({ what, url }, signal);
        yield parsed(incoming, what, answer);
        const query = queryOfNext(incoming.headers['link'] ?? '');
        if (query === undefined) return;
        url = apiUrl + path.split('?', 1)[0] + query;
      }
    },

    async write({ what, method, path, body, answer }, signal) {
      writes++;
      const request = {
        what,
        url: apiUrl + path,
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      };
      try {
        return parsed(await follow(request, signal), what, answer);
      } finally {
        writes++;
      }
    },
  };
}

/** The documented fields of an answer. Their number and the bytes bound the time that it takes. */
function parsed<Schema extends AnswerSchema>({ body }: Incoming, what: string, answer: Schema) {
  if (body.length > MAX_ANSWER_BYTES)
    throw undocumented(what, `it has over ${MAX_ANSWER_BYTES} bytes`);
  try {
    const isRead = body.length > 0 && answer !== 'nothing';
    const value = isRead ? parseBoundedJson(body.toString(), answerLimits) : null;
    return readAnswer(value, answer);
  } catch (error) {
    throw undocumented(what, error instanceof RangeError ? error.message : 'it is no JSON');
  }
}

const undocumented = (what: string, problem: string) =>
  new DomainError(
    'UNAVAILABLE',
    `The forge's answer, asked to ${what}, is not what its API documents: ${problem}`,
    { retryable: true },
  );

/**
 * The query of a list's next page (RFC 8288). The rest of the address is not used: a forge behind a
 * proxy may name itself by another one.
 */
function queryOfNext(link: string): string | undefined {
  const next = link.split(/,\s*(?=<)/).find((part) => /;\s*rel="?next"?/.test(part));
  return next && URL.parse(next.slice(next.indexOf('<') + 1).split('>', 1)[0]!)?.search;
}
