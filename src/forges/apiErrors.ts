import { DomainError } from '../errors.ts';
import type { HttpResponse } from './forgeProject.ts';
import {
  limitWait,
  rateLimited,
  MAX_REASON_BYTES,
  millisecondsOf,
  limitWaitMs,
} from './credentialLimits.ts';

const LONGEST_REASON = 300;

/** The HTTP status with which a forge refused a request; undefined for other errors. */
export function refusedStatus(error: unknown): number | undefined {
  return error instanceof DomainError && error.code === 'FORGE_REFUSED'
    ? (error.details?.['status'] as number | undefined)
    : undefined;
}

/** The forge's reason for a refusal; undefined for other errors, and if it named none. */
export const refusalReason = (error: unknown): string | undefined =>
  error instanceof DomainError && error.code === 'FORGE_REFUSED'
    ? (error.details?.['reason'] as string | undefined) || undefined
    : undefined;

/** A handler for `catch`. It returns `value` if the forge refused with one of these statuses. */
export const onStatus =
  <T>(statuses: number[], value: T) =>
  (error: unknown): T => {
    if (statuses.includes(refusedStatus(error) ?? 0)) return value;
    throw error;
  };

interface RefusedApiCall {
  what: string;
  host: string;
  /** The value of the `authorization` header, which the error never contains. */
  secret: string;
}

/**
 * The error for an answer with a status of 400 or more: UNAVAILABLE (retryable) for a rate limit or
 * a failure of the forge, otherwise FORGE_REFUSED with the forge's reason.
 */
export function forgeRefusal(
  answer: HttpResponse,
  { what, host, secret }: RefusedApiCall,
): DomainError {
  const { status, headers } = answer;
  const waitMs = limitWaitMs(answer);
  if (waitMs !== undefined && (status === 403 || status === 429)) return rateLimited(host, waitMs);
  if (status >= 500 || status === 408) {
    const retryAfter = headers['retry-after'];
    return new DomainError('UNAVAILABLE', `${host} failed to ${what} (status ${status})`, {
      retryable: true,
      ...(retryAfter !== undefined && { retryAfter: limitWait(millisecondsOf(retryAfter)) }),
    });
  }
  const reason = forgeReason(answer, secret);
  return new DomainError(
    'FORGE_REFUSED',
    `${host} refused to ${what} (status ${status})${reason && `: ${reason}`}`,
    { details: { status, reason } },
  );
}

/**
 * The forge's reason: `message`, what GitHub lists in `errors`, and GitLab's `error_description`.
 * GitHub also names the permissions that a fine-grained token lacks.
 */
function forgeReason({ headers, body }: HttpResponse, secret: string): string {
  const { message, errors, error, error_description: description } = parseReasonFields(body);
  const listedErrors = Array.isArray(errors) ? errors.slice(0, 5).map(reasonText) : [];
  const acceptedPermissions = headers['x-accepted-github-permissions'];
  const reasonWords = [
    ...messageTexts(message ?? description ?? error),
    ...listedErrors,
    acceptedPermissions && `required permissions: ${acceptedPermissions}`,
  ]
    .filter((text) => typeof text === 'string' && text !== '')
    .join('; ');
  return cleanReason(reasonWords, secret);
}

function parseReasonFields(body: Buffer): Record<string, unknown> {
  if (body.length > MAX_REASON_BYTES) return {};
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** The texts of a message. GitLab also sends lists, and lists by field: `{ title: ['is bad'] }`. */
function messageTexts(message: unknown): unknown[] {
  if (typeof message !== 'object' || message === null) return [message];
  if (Array.isArray(message)) return message.slice(0, 5);
  return Object.entries(message)
    .slice(0, 5)
    .flatMap(([field, texts]) =>
      [texts]
        .flat()
        .slice(0, 5)
        .map((text) => fieldReason(field, text)),
    );
}

const fieldReason = (field: string, text: unknown) =>
  typeof text !== 'string' || field === 'base' ? text : `${field} ${text}`;

function reasonText(error: unknown): string {
  if (typeof error === 'string') return error;
  const { message, field, code } = (error ?? {}) as Record<string, unknown>;
  if (typeof message === 'string') return message;
  return [field, code].filter((text) => typeof text === 'string').join(' ');
}

function cleanReason(text: string, secret: string): string {
  const token = secret.split(' ').at(-1);
  return (token ? text.replaceAll(token, '…') : text)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .slice(0, LONGEST_REASON)
    .toWellFormed()
    .trim();
}
