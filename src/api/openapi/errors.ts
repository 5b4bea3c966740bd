import { STATUS_CODES } from 'node:http';
import { TASK_RUNNING } from '../../contract/task.ts';
import { errorCodes, type ErrorCode } from '../../errors.ts';
import { codeOfStatus } from '../errorField.ts';
import { headerNames, headerRefs } from './headers.ts';
import type { JsonSchema, ApiOperation } from './operation.ts';

/** The body of every error (docs/contract.md, section 8.1). */
export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'The body of every error response.',
  properties: {
    error: { type: 'string', description: 'What is wrong, and what the service expected.' },
  },
  required: ['error'],
  additionalProperties: false,
};

/** An example of the `error` in the body, and when this error occurs. */
type ErrorTexts = [error: string, when: string];

/** The codes of `DomainError` that a client may get in the field `Agent-Tasks-Error`. */
const domainErrors = {
  INVALID_INPUT: [
    'Invalid request body: siteId must be a UUID; colour is not allowed',
    'A field or parameter is invalid. The message names each of them.',
  ],
  INVALID_CALLBACK_URL: [
    'Invalid callback URL',
    'The callback URL does not use https, has more than 2,048 characters, or points to a private host or to this service.',
  ],
  SITE_WITHOUT_REPOSITORY: [
    'Site is missing repository information',
    'The site has no repository.',
  ],
  UNAUTHORIZED: ['Unauthorized', 'The key, link or signature is missing, unknown or expired.'],
  FORBIDDEN: [
    'This key has the role viewer, but the request needs member',
    'The role of the key is too low for this request.',
  ],
  TOKENS_USED_UP: [
    'The organization has used 5000120 language model tokens in 2026-11 (UTC)',
    'The organization has reached its limit. Until the month ends or an owner raises the limit, only the model `rules` works.',
  ],
  NOT_FOUND: [
    'Task not found',
    'Your organization has no object with this id, or the object is no longer stored.',
  ],
  CONFLICT: [
    TASK_RUNNING,
    'The current state does not allow the request. The message says what to do first.',
  ],
  APPROVAL_REQUIRED: [
    'The site publishes only pages that another person has approved, and nobody has approved the current version',
    'The site has the setting `publishApproval: another-person`, and the pages are not approved. Create them without `publish`, and publish them after the approval.',
  ],
  IDEMPOTENCY_MISMATCH: [
    'The Idempotency-Key was already used with another request body',
    'A key was reused for a different request. Send a new key with each new request.',
  ],
  TOO_MANY_REQUESTS: [
    'Too Many Requests',
    'The key, its person, its organization or the IP address has reached its rate limit.',
  ],
  TOO_MANY_IN_FLIGHT: [
    'Too Many Requests: the organization already has 100 running tasks, its limit. Try again when one has finished',
    'The organization has too many running tasks. Send the request again when a task has finished.',
  ],
  START_FAILED: [
    'Failed to start task',
    'No task was started. Send the request again with the same `Idempotency-Key`.',
  ],
  UNAVAILABLE: [
    'Service Unavailable',
    'A part of the service or the repository does not respond. Send the request again later.',
  ],
  DISK_FULL: [
    'Service Unavailable: the disk is nearly full',
    'The request had no effect. Send it again when the operator has freed disk space.',
  ],
} as const satisfies Partial<Record<ErrorCode, ErrorTexts>>;

/** Errors without a `DomainError`, by status: from Koa, the body parser or Node's server. */
const serverErrors: Record<number, ErrorTexts> = {
  400: ['Bad Request', 'The request is not valid HTTP, or its body is not strict JSON in UTF-8.'],
  404: ['Not found', 'The path does not exist.'],
  405: ['Method Not Allowed', 'The path exists, but only supports the methods in `Allow`.'],
  408: ['Request Timeout', 'The header did not arrive within 10 seconds, or the body within 60.'],
  413: ['The request body must not be larger than 2000000 bytes', 'The request body is too large.'],
  415: [
    'Content-Type must be application/json',
    'The request body has another media type, or is compressed.',
  ],
  421: [
    'Misdirected Request',
    'The `Host` header field is neither the base address of the service nor a loopback name.',
  ],
  431: ['Request Header Fields Too Large', 'The header of the request is larger than 16 KiB.'],
  500: [
    'Internal Server Error',
    "An unexpected error. The service's log has its details with the `X-Request-Id`.",
  ],
};

/** Every status of an error, with its codes. */
const byStatus = new Map<number, Map<string, ErrorTexts>>();
for (const [status, texts] of Object.entries(serverErrors))
  byStatus.set(Number(status), new Map([[codeOfStatus(Number(status)), texts]]));
for (const [code, texts] of Object.entries(domainErrors)) {
  const status = errorCodes[code as keyof typeof domainErrors];
  byStatus.set(status, new Map([...(byStatus.get(status) ?? []), [code, texts]]));
}

/** Statuses that every request may get, and those of requests that match no operation. */
const statusesOfAll = [408, 421, 431, 500];
export const unroutedStatuses: readonly number[] = [400, 404, 405, ...statusesOfAll];

/** The name of an error response. Rate-limited routes have other header fields, so other names. */
function responseName(status: number, isLimited: boolean): string {
  const statusName = STATUS_CODES[status]!.replaceAll(' ', '');
  const hasLimit = headerNames(status, { isLimited }).includes('RateLimit');
  return hasLimit ? `Limited${statusName}` : statusName;
}

/** Every error response, by the name of its status, for `components.responses`. */
export function errorResponses(operations: ApiOperation[]): Record<string, object> {
  const responses: Record<string, object> = {};
  const addResponse = (status: number, isLimited: boolean) =>
    (responses[responseName(status, isLimited)] ??= errorResponse(status, isLimited));
  for (const status of unroutedStatuses) addResponse(status, false);
  for (const operation of operations)
    for (const status of operationStatuses(operation))
      addResponse(status, operation.access !== 'open');
  return responses;
}

/** References to the errors of an operation, by status. */
export const errorRefs = (operation: ApiOperation) =>
  Object.fromEntries(
    operationStatuses(operation).map((status) => [
      status,
      { $ref: `#/components/responses/${responseName(status, operation.access !== 'open')}` },
    ]),
  );

function operationStatuses({
  route,
  access,
  query,
  body,
  errors = [],
  others = {},
}: ApiOperation): number[] {
  const statuses = [
    ...errors.map((code) => errorCodes[code]),
    ...(query || body ? [400] : []),
    ...(body ? [413, 415] : []),
    ...(access === 'open' ? [] : [401, 403, 429]),
    ...(route.includes('{') ? [404] : []),
    ...statusesOfAll,
  ];
  return [...new Set(statuses)]
    .filter((status) => !(status in others))
    .sort((firstStatus, secondStatus) => firstStatus - secondStatus);
}

function errorResponse(status: number, isLimited: boolean) {
  const errorTexts = [...byStatus.get(status)!];
  const codeLines = errorTexts.map(([code, [, condition]]) => `- \`${code}\`: ${condition}`);
  return {
    description: `${STATUS_CODES[status]}\n\n${codeLines.join('\n')}`,
    headers: headerRefs(headerNames(status, { isLimited })),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(
          errorTexts.map(([code, [error, condition]]) => [
            code,
            { summary: condition, value: { error } },
          ]),
        ),
      },
    },
  };
}
