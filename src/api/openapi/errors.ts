import { STATUS_CODES } from 'node:http';
import { errorCodes, type ErrorCode } from '../../errors.ts';
import { codeOfStatus } from '../errorField.ts';
import { headerNames, headerRefs } from './headers.ts';
import type { JsonSchema, ApiOperation } from './operation.ts';

/** See docs/contract.md, section 8.1. */
export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'Every error has this body.',
  properties: { error: { type: 'string', description: 'What is wrong, and what was expected.' } },
  required: ['error'],
  additionalProperties: false,
};

/** The `error` of an answer, as an example, and when it comes. */
type ErrorTexts = [error: string, when: string];

/** The codes of `Agent-Tasks-Error` that a request may get. */
const domainErrors = {
  INVALID_INPUT: [
    'Invalid request body: siteId must be a UUID; colour is not allowed',
    'A field or parameter is wrong. The text names every one of them.',
  ],
  INVALID_CALLBACK_URL: [
    'Invalid callback URL',
    'It is not https, over 2,048 characters, or its host is private or this service.',
  ],
  SITE_WITHOUT_REPOSITORY: [
    'Site is missing repository information',
    'The site was registered without a repository.',
  ],
  UNAUTHORIZED: ['Unauthorized', 'The key, link or signature is missing, unknown or expired.'],
  FORBIDDEN: ["This key is a viewer's; it needs member", "The key's role is too low."],
  TOKENS_USED_UP: [
    'The organization has used 5000120 tokens of language models in 2026-11 (UTC)',
    'Until the month ends or an owner raises the limit, only the model `rules` works.',
  ],
  NOT_FOUND: [
    'Task not found',
    'Your organization has nothing with this id, or it is not kept any more.',
  ],
  CONFLICT: [
    'The task is still running',
    'The present state does not allow it. The text says what to do first.',
  ],
  IDEMPOTENCY_MISMATCH: [
    'The Idempotency-Key was already used with another request body',
    'Send another key for another request.',
  ],
  TOO_MANY_REQUESTS: [
    'Too Many Requests',
    'Over the limit of the key, its person, its organization or the address.',
  ],
  TOO_MANY_IN_FLIGHT: [
    'Too Many Requests: the organization already has 100 running tasks, its limit. Try again when one has finished',
    'Send it again when a task is done.',
  ],
  START_FAILED: [
    'Failed to start task',
    'No task was started. Send it again with the same `Idempotency-Key`.',
  ],
  UNAVAILABLE: [
    'Service Unavailable',
    'A part of the service, or the repository, does not answer.',
  ],
  DISK_FULL: [
    'Service Unavailable: the disk is nearly full',
    'Nothing was begun. Send it again once the operator has made room.',
  ],
} as const satisfies Partial<Record<ErrorCode, ErrorTexts>>;

/** Codes of errors that the server itself answers with, by their status. */
const serverErrors: Record<number, ErrorTexts> = {
  400: ['Bad Request', 'It is not HTTP, or the body is not strict JSON in UTF-8.'],
  404: ['Not found', 'There is nothing at this path.'],
  405: ['Method Not Allowed', 'There is something at this path, for the methods in `Allow`.'],
  408: ['Request Timeout', 'The header did not arrive within 10 seconds, or the body within 60.'],
  413: ['Request body must not be over 2000000 bytes', 'The body is too large.'],
  415: ['Content-Type must be application/json', 'The body is of another type, or compressed.'],
  421: ['Misdirected Request', 'The `Host` is neither the base address nor a loopback name.'],
  431: ['Request Header Fields Too Large', 'The header is over 16 KiB.'],
  500: ['Internal Server Error', 'What nobody foresaw. The log has it under the `X-Request-Id`.'],
};

/** Every status of an error, with its codes. */
const byStatus = new Map<number, Map<string, ErrorTexts>>();
for (const [status, texts] of Object.entries(serverErrors))
  byStatus.set(Number(status), new Map([[codeOfStatus(Number(status)), texts]]));
for (const [code, texts] of Object.entries(domainErrors)) {
  const status = errorCodes[code as keyof typeof domainErrors];
  byStatus.set(status, new Map([...(byStatus.get(status) ?? []), [code, texts]]));
}

/** What any request may be answered, and what those that reach no operation are. */
const statusesOfAll = [408, 421, 431, 500];
export const unroutedStatuses: readonly number[] = [400, 404, 405, ...statusesOfAll];

/** Answers that a rate limit counts have further header fields, and so a name of their own. */
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
