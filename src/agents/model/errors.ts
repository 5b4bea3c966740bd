import { defined } from '../../contract/defined.ts';
import { DomainError } from '../../errors.ts';
import { providerWords } from './providerWords.ts';
import { known, type Provider } from './models.ts';

/** The called model, and texts that its errors must not contain. */
export interface Called {
  provider: Provider;
  model: string;
  /** Texts of customers or of the model in the request. */
  texts: string[];
  /** Keys of providers. */
  secrets: string[];
}

/** Fields that errors of the providers' packages may have. */
interface Failure {
  name?: unknown;
  statusCode?: unknown;
  responseHeaders?: Record<string, string | undefined>;
  message?: unknown;
  type?: unknown;
  code?: unknown;
  data?: unknown;
  cause?: unknown;
}

/**
 * Converts the error of a failed call. The packages' errors contain the whole prompt. So only a
 * status, a code and the provider's sentence are taken over, without keys and texts of the request.
 * @returns MODEL_FAILED, `retryable` if the same call may succeed later
 */
export function failureOf(error: unknown, called: Called): DomainError {
  if (error instanceof DomainError) return error;
  const failure: Failure = typeof error === 'object' && error !== null ? error : {};
  const status = typeof failure.statusCode === 'number' ? failure.statusCode : undefined;
  const codes = codesOf(failure);
  const why = reasonOf(status, codes, failure, called);
  const words = why.quiet ? '' : providerWords(failure.message, called);
  return new DomainError('MODEL_FAILED', `${why.says}${words && `. The provider says: ${words}`}`, {
    retryable: why.retryable,
    ...defined({
      retryAfter: why.retryable ? retryAfter(failure.responseHeaders?.['retry-after']) : undefined,
    }),
  });
}

/** Codes of connections that were never made. */
const unconnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'];

/** Statuses of providers that are too busy to begin. 529 is Anthropic's. */
const busy = [503, 529];

/**
 * Whether a provider surely did no work for a call: it refused it, or was not reached. Other
 * failures of a server, and 408, may come from the middle of its work.
 */
export function isRefused(error: unknown): boolean {
  const failure = recordOf(error);
  const status = failure['statusCode'];
  if (typeof status === 'number')
    return busy.includes(status) || (status >= 300 && status < 500 && status !== 408);
  return unconnected.includes(networkCode(failure) ?? '');
}

/**
 * Statuses by which servers may refuse the pictures of a request: the model takes none, or not
 * these. llama.cpp answers 500.
 */
const refusingPictures = [400, 404, 413, 415, 422, 500, 501];

/** Whether a call may succeed without its pictures. */
export const mayRefusePictures = (error: unknown): boolean =>
  refusingPictures.includes(recordOf(error)['statusCode'] as number);

interface Reason {
  says: string;
  retryable: boolean;
  /** Whether to omit the provider's own words: they may quote a key, or add nothing. */
  quiet?: boolean;
}

const quiet = (reason: Reason): Reason => ({ ...reason, quiet: true });

function reasonOf(
  status: number | undefined,
  codes: string[],
  failure: Failure,
  called: Called,
): Reason {
  const name = nameOf(called);
  const final = (says: string): Reason => ({ says, retryable: false });
  const later = (says: string): Reason => ({ says, retryable: true });
  const answer =
    status === undefined ? (codes[0] ?? 'no status') : [status, ...codes.slice(0, 1)].join(', ');
  if (codes.includes('insufficient_quota') || status === 402)
    return final(
      `The account at the provider of ${name} has no credit left (${answer}): add some there`,
    );
  if (isOverflow(codes, failure.message)) return final(`${tooLong(name)} (${answer})`);
  if (status === undefined)
    return codes.some(isRefusal)
      ? final(`${name} refused the request (${answer})`)
      : { ...unanswered(name, failure), retryable: true };
  if (status === 401 || status === 403)
    return quiet(
      final(`${name} refused the key (${answer}): check ${known[called.provider].setting}`),
    );
  if (status === 404)
    return final(`${name} is not there (${answer}): check the model's name and AGENT_BASE_URL`);
  if (status === 429) return later(`${name} is called too often (${answer})`);
  if (status === 408 || status === 409 || status >= 500)
    return later(`${name} can't answer now (${answer})`);
  if (status >= 400) return final(`${name} refused the request (${answer})`);
  if (status >= 300)
    return quiet(
      final(`${name} answers with a redirect (${answer}): set AGENT_BASE_URL to where it leads`),
    );
  return quiet(later(broken(name)));
}

/** A model's name in errors. */
export const nameOf = ({ provider, model }: Pick<Called, 'provider' | 'model'>) =>
  `The language model ${provider}/${model}`;

export const tooLong = (name: string) =>
  `The task has become longer than what fits into ${name.replace(/^The/, 'the')}: divide it into smaller tasks, or use a model with a larger context`;

export const broken = (name: string) =>
  `${name} broke off its answer, or did not answer in its protocol: check AGENT_BASE_URL`;

/** Why there was no status, or only a part of an answer. */
function unanswered(
  name: string,
  { name: kind, cause, code, data }: Failure,
): Pick<Reason, 'says' | 'quiet'> {
  const network = networkCode({ cause, code });
  if (kind === 'TimeoutError' || kind === 'AbortError')
    return { says: `${name} did not answer in time`, quiet: true };
  if (network)
    return {
      says: `${name} can't be reached (${network}): check AGENT_BASE_URL, and that it runs`,
      quiet: true,
    };
  // Only a provider's event has data. Other messages come from the package or the system, and may
  // quote the answer or the address.
  return { says: broken(name), quiet: data === undefined };
}

/** The system's code of a failed connection, such as ECONNREFUSED, in an error or its causes. */
function networkCode(error: Pick<Failure, 'cause' | 'code'>, depth = 0): string | undefined {
  if (typeof error.code === 'string' && /^(?:E[A-Z]{3,20}|UND_ERR_[A-Z_]{3,30})$/.test(error.code))
    return error.code;
  if (depth > 4 || typeof error.cause !== 'object' || error.cause === null) return undefined;
  return networkCode(error.cause, depth + 1);
}

const isRefusal = (code: string) => code.startsWith('invalid_');

/** Codes and types that name a failure, such as `overloaded_error`. */
function codesOf({ data, code, type }: Failure): string[] {
  const { error, response } = recordOf(data);
  const inner = [recordOf(error), recordOf(recordOf(response).error), recordOf(data)];
  const found = [{ code, type }, ...inner].flatMap((at) => [at.code, at.type, recordOf(at).status]);
  return [
    ...new Set(
      found.filter(
        (text): text is string => typeof text === 'string' && /^[\w.-]{3,60}$/.test(text),
      ),
    ),
  ];
}

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/**
 * Whether the prompt is too long for the model. Only some providers have a code for this. Matching
 * the messages of the others is safe, as these failures are final in either case.
 */
const isOverflow = (codes: string[], message: unknown) =>
  codes.includes('context_length_exceeded') ||
  codes.includes('request_too_large') ||
  (typeof message === 'string' &&
    /context length|context window|context size|prompt is too long|input token count/i.test(
      message.slice(0, 1_000),
    ));

/** Milliseconds in a Retry-After header: seconds, or an HTTP date (RFC 9110, section 10.2.3). */
function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined || header.length > 40) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
