import { DomainError } from '../errors.ts';
import type { Incoming } from './forge.ts';
import { bounded, limited, MAX_REASON_BYTES, millisecondsOf, waitOf } from './limits.ts';

const LONGEST_REASON = 300;

/** The status by which a forge refused a request; undefined for other errors. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof DomainError && error.code === 'FORGE_REFUSED'
    ? (error.details?.['status'] as number | undefined)
    : undefined;
}

/** For `catch`: returns `value` where a forge refused with one of these statuses. */
export const onStatus =
  <T>(statuses: number[], value: T) =>
  (error: unknown): T => {
    if (statuses.includes(statusOf(error) ?? 0)) return value;
    throw error;
  };

interface Asked {
  what: string;
  host: string;
  /** Never repeated, whatever the forge answers. */
  secret: string;
}

/** The error for an answer with a status of 400 or more. */
export function refusal(answer: Incoming, { what, host, secret }: Asked): DomainError {
  const { status, headers } = answer;
  const wait = waitOf(answer);
  if (wait !== undefined && (status === 403 || status === 429)) return limited(host, wait);
  if (status >= 500 || status === 408) {
    const after = headers['retry-after'];
    return new DomainError('UNAVAILABLE', `${host} could not ${what}: status ${status}`, {
      retryable: true,
      ...(after !== undefined && { retryAfter: bounded(millisecondsOf(after)) }),
    });
  }
  const reason = reasonIn(answer, secret);
  return new DomainError(
    'FORGE_REFUSED',
    `${host} refused to ${what} (status ${status})${reason && `: ${reason}`}`,
    { details: { status, reason } },
  );
}

/**
 * The forge's reason: `message`, and what GitHub lists in `errors`. GitHub also names the
 * permissions that a fine-grained token lacks.
 */
function reasonIn({ headers, body }: Incoming, secret: string): string {
  const { message, errors } = fieldsOf(body);
  const listed = Array.isArray(errors) ? errors.slice(0, 5).map(textOf) : [];
  const accepted = headers['x-accepted-github-permissions'];
  const words = [message, ...listed, accepted && `it needs ${accepted}`]
    .filter((text) => typeof text === 'string' && text !== '')
    .join('; ');
  return cleaned(words, secret);
}

function fieldsOf(body: Buffer): Record<string, unknown> {
  if (body.length > MAX_REASON_BYTES) return {};
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function textOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const { message, field, code } = (error ?? {}) as Record<string, unknown>;
  if (typeof message === 'string') return message;
  return [field, code].filter((text) => typeof text === 'string').join(' ');
}

function cleaned(text: string, secret: string): string {
  const token = secret.split(' ').at(-1);
  return (token ? text.replaceAll(token, '…') : text)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .slice(0, LONGEST_REASON)
    .toWellFormed()
    .trim();
}
