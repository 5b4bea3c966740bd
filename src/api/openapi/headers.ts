import { ERROR_FIELD } from '../errorField.ts';
import type { JsonSchema } from './operation.ts';

const headerObject = (description: string, pattern: string, example: string) => ({
  description,
  required: true,
  schema: { type: 'string', pattern } satisfies JsonSchema,
  example,
});

const ANY_STRING = '"([^"\\\\]|\\\\["\\\\])*"';

/** Header fields of responses, by name. */
export const headers: Record<string, object> = {
  'X-Request-Id': headerObject(
    "The id of the request in the service's log.",
    '^[A-Za-z0-9._-]{1,128}$',
    '6f1c4d0e-3a52-4f0e-9d38-0c5f5a0e6b11',
  ),
  'RateLimit-Policy': headerObject(
    'The rate limit that the request counted against.',
    '^"(create|check|read)(-person|-organization)?";q=\\d+;w=\\d+$',
    '"create";q=60;w=60',
  ),
  RateLimit: headerObject(
    'The number of requests that the rate limit still allows.',
    '^"(create|check|read)(-person|-organization)?";r=\\d+;t=\\d+$',
    '"create";r=59;t=60',
  ),
  'Retry-After': headerObject(
    'The number of seconds after which to send the request again.',
    '^\\d+$',
    '42',
  ),
  Allow: headerObject('The methods that the path supports.', '^[A-Z]+(, [A-Z]+)*$', 'HEAD, GET'),
  [ERROR_FIELD]: headerObject(
    'The code of the error, as a structured field (RFC 9651). The parameter `reason` has details that the body does not have.',
    `^[A-Z]+(_[A-Z]+)*(;reason=(${ANY_STRING}|%${ANY_STRING}))?$`,
    'INVALID_CALLBACK_URL;reason="its host is a private address"',
  ),
  ETag: headerObject(
    'The version of the response.',
    '^(W/)?"[A-Za-z0-9_-]+"$',
    'W/"sQCDorDYNCR_p3b9aIN_AaKVFlu6wYFe46TvpT_NPH8"',
  ),
  'WWW-Authenticate': headerObject(
    'The authentication scheme that the request needs.',
    '^Bearer$',
    'Bearer',
  ),
};

const limitHeaders = ['RateLimit-Policy', 'RateLimit'];
/** Statuses that may be sent before a limit has counted the request. */
const uncountedStatuses = new Set([401, 408, 421, 429, 431, 500, 503]);

/** Names of the header fields that a response with this status always has. */
export function headerNames(status: number, { isLimited }: { isLimited: boolean }): string[] {
  return [
    'X-Request-Id',
    ...(status >= 400 ? [ERROR_FIELD] : []),
    ...(isLimited && !uncountedStatuses.has(status) ? limitHeaders : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    ...(status === 405 ? ['Allow'] : []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
  ];
}

/** References to header fields, for a response object. */
export const headerRefs = (names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
