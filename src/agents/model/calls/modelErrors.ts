import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { DomainError } from '../../../errors.ts';
import { cleanProviderMessage } from './cleanProviderMessage.ts';
import { providerDefaults, type ModelProvider } from './providerModels.ts';

/** The called model, and texts that its errors must not contain. */
export interface CalledModel {
  provider: ModelProvider;
  model: string;
  /** Texts of customers or of the model in the request. */
  texts: string[];
  /** Keys of providers. */
  secrets: string[];
}

/** Fields that errors of the providers' packages may have. */
interface ProviderFailure {
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
export function createModelError(error: unknown, calledModel: CalledModel): DomainError {
  if (error instanceof DomainError) return error;
  const failure: ProviderFailure = typeof error === 'object' && error !== null ? error : {};
  const status = typeof failure.statusCode === 'number' ? failure.statusCode : undefined;
  const codes = listFailureCodes(failure);
  const reason = findFailureReason(status, codes, failure, calledModel);
  const providerMessage = reason.quiet ? '' : cleanProviderMessage(failure.message, calledModel);
  return new DomainError(
    'MODEL_FAILED',
    `${reason.description}${providerMessage && `. The provider answered: ${providerMessage}`}`,
    {
      retryable: reason.retryable,
      ...withoutUndefined({
        retryAfter: reason.retryable
          ? parseRetryAfter(failure.responseHeaders?.['retry-after'])
          : undefined,
      }),
    },
  );
}

/** Codes of connections that were never made. */
const connectionFailureCodes = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** Statuses of providers that are too busy to begin. 529 is Anthropic's. */
const busyStatuses = [503, 529];

/**
 * Whether a provider surely did no work for a call: it refused it, or was not reached. Other
 * failures of a server, and 408, may come from the middle of its work.
 */
export function isRefusedCall(error: unknown): boolean {
  const failure = asRecord(error);
  const status = failure['statusCode'];
  if (typeof status === 'number')
    return busyStatuses.includes(status) || (status >= 300 && status < 500 && status !== 408);
  return connectionFailureCodes.includes(findNetworkCode(failure) ?? '');
}

/**
 * Statuses by which servers may refuse the pictures of a request, because the model accepts none,
 * or not these. llama.cpp answers 500.
 */
const pictureRefusalStatuses = [400, 404, 413, 415, 422, 500, 501];

/** Whether a call may succeed without its pictures. */
export const mayRefusePictures = (error: unknown): boolean =>
  pictureRefusalStatuses.includes(asRecord(error)['statusCode'] as number);

interface FailureReason {
  description: string;
  retryable: boolean;
  /** Whether to omit the provider's own words: they may quote a key, or add nothing. */
  quiet?: boolean;
}

const withoutProviderMessage = (reason: FailureReason): FailureReason => ({
  ...reason,
  quiet: true,
});

function findFailureReason(
  status: number | undefined,
  codes: string[],
  failure: ProviderFailure,
  calledModel: CalledModel,
): FailureReason {
  const modelName = describeModel(calledModel);
  const finalReason = (description: string): FailureReason => ({ description, retryable: false });
  const retryableReason = (description: string): FailureReason => ({
    description,
    retryable: true,
  });
  const statusAndCode =
    status === undefined ? (codes[0] ?? 'no status') : [status, ...codes.slice(0, 1)].join(', ');
  if (codes.includes('insufficient_quota') || status === 402)
    return finalReason(
      `The account at the provider of ${modelName} has no credit left (${statusAndCode}). Add credit to this account`,
    );
  if (isTooLongForModel(codes, failure.message))
    return finalReason(`${taskTooLongMessage(modelName)} (${statusAndCode})`);
  if (status === undefined)
    return codes.some(isRefusalCode)
      ? finalReason(`${modelName} refused the request (${statusAndCode})`)
      : { ...findNoAnswerReason(modelName, failure), retryable: true };
  if (status === 401 || status === 403)
    return withoutProviderMessage(
      finalReason(
        `${modelName} rejected the API key (${statusAndCode}). Check ${providerDefaults[calledModel.provider].setting}`,
      ),
    );
  if (status === 404)
    return finalReason(
      `${modelName} was not found (${statusAndCode}). Check the name of the model, and AGENT_BASE_URL`,
    );
  if (status === 429) return retryableReason(`${modelName} is rate limited (${statusAndCode})`);
  if (status === 408 || status === 409 || status >= 500)
    return retryableReason(`${modelName} is not available at the moment (${statusAndCode})`);
  if (status >= 400) return finalReason(`${modelName} refused the request (${statusAndCode})`);
  if (status >= 300)
    return withoutProviderMessage(
      finalReason(
        `${modelName} answered with a redirect (${statusAndCode}). Set AGENT_BASE_URL to its target`,
      ),
    );
  return withoutProviderMessage(retryableReason(brokenAnswerMessage(modelName)));
}

/** A model's name in errors. */
export const describeModel = ({ provider, model }: Pick<CalledModel, 'provider' | 'model'>) =>
  `The language model ${provider}/${model}`;

export const taskTooLongMessage = (name: string) =>
  `The task does not fit into the context of ${name.replace(/^The/, 'the')}. Divide it into smaller tasks, or use a model with a larger context`;

export const brokenAnswerMessage = (name: string) =>
  `${name} sent an incomplete answer, or did not follow the protocol of its provider. Check AGENT_BASE_URL`;

/** Why there was no status, or only a part of an answer. */
function findNoAnswerReason(
  modelName: string,
  { name: kind, cause, code, data }: ProviderFailure,
): Pick<FailureReason, 'description' | 'quiet'> {
  const networkCode = findNetworkCode({ cause, code });
  if (kind === 'TimeoutError' || kind === 'AbortError')
    return { description: `${modelName} did not answer in time`, quiet: true };
  if (networkCode)
    return {
      description: `${modelName} can't be reached (${networkCode}). Check AGENT_BASE_URL, and whether the server runs`,
      quiet: true,
    };
  // Only a provider's event has data. Other messages come from the package or the system, and may
  // quote the answer or the URL.
  return { description: brokenAnswerMessage(modelName), quiet: data === undefined };
}

/** The system's code of a failed connection, such as ECONNREFUSED, in an error or its causes. */
function findNetworkCode(
  error: Pick<ProviderFailure, 'cause' | 'code'>,
  depth = 0,
): string | undefined {
  if (typeof error.code === 'string' && /^(?:E[A-Z]{3,20}|UND_ERR_[A-Z_]{3,30})$/.test(error.code))
    return error.code;
  if (depth > 4 || typeof error.cause !== 'object' || error.cause === null) return undefined;
  return findNetworkCode(error.cause, depth + 1);
}

const isRefusalCode = (code: string) => code.startsWith('invalid_');

/** Codes and types that name a failure, such as `overloaded_error`. */
function listFailureCodes({ data, code, type }: ProviderFailure): string[] {
  const { error, response } = asRecord(data);
  const innerRecords = [asRecord(error), asRecord(asRecord(response).error), asRecord(data)];
  const candidates = [{ code, type }, ...innerRecords].flatMap((record) => [
    record.code,
    record.type,
    asRecord(record).status,
  ]);
  return [
    ...new Set(
      candidates.filter(
        (text): text is string => typeof text === 'string' && /^[\w.-]{3,60}$/.test(text),
      ),
    ),
  ];
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/**
 * Whether the prompt is too long for the model. Only some providers have a code for this. Matching
 * the messages of the others is safe, as these failures are final in either case.
 */
const isTooLongForModel = (codes: string[], message: unknown) =>
  codes.includes('context_length_exceeded') ||
  codes.includes('request_too_large') ||
  (typeof message === 'string' &&
    /context length|context window|context size|prompt is too long|input token count/i.test(
      message.slice(0, 1_000),
    ));

/** Milliseconds in a Retry-After header: seconds, or an HTTP date (RFC 9110, section 10.2.3). */
function parseRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined || header.length > 40) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
