import { STATUS_CODES } from 'node:http';
import { limits } from '../../contract/task.ts';
import { headerNames, headerRefs } from './headers.ts';
import type { Errors, JsonSchema, Operation } from './operation.ts';
import { notFoundOf } from './parameters.ts';
import { schemaRef } from './schemas.ts';

/** Specification: Errors. */
export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'Every error has this body.',
  properties: { error: { type: 'string', description: 'What is wrong, and what was expected.' } },
  required: ['error'],
  additionalProperties: false,
};

const ofAll: Errors = {
  408: { 'Request Timeout': 'The header did not arrive within 10 seconds, or the body within 60.' },
  421: {
    'Misdirected Request': 'The `Host` is neither that of the base address nor a loopback name.',
  },
  431: { 'Request Header Fields Too Large': 'The header is over 16 KiB.' },
  500: { 'Internal Server Error': 'What nobody foresaw; the log has it under the `X-Request-Id`.' },
};

const ofRole = (least: string): Errors => ({
  403: { [`This key is a member's; it needs ${least}`]: `The key's role is below ${least}.` },
});

const ofKeys: Errors = {
  401: {
    Unauthorized:
      'No key, or an unknown, revoked or expired one, also where it ended while the request was under way.',
  },
  403: {
    "This key is a viewer's; it needs member": "The key's role is below member.",
  },
  429: {
    'Too Many Requests':
      'Over the limit of the key, its person or its organization, or too many wrong keys from this address.',
  },
};

const ofBodies: Errors = {
  400: {
    'Request body is not valid JSON: it cannot be parsed at line 3, column 5: a comma is missing':
      'The body is not strict JSON in UTF-8.',
    'Request body ended early': 'The connection was closed in the middle of the body.',
  },
  413: { [`Request body must not be over ${limits.bodyBytes} bytes`]: 'The body is too large.' },
  415: {
    'Content-Type must be application/json': 'The body is of another media type or charset.',
    'Content-Encoding must not be used': 'The body is compressed.',
  },
};

/**
 * Answers to requests that reach no operation. They are the same everywhere and stand under
 * `components.responses`.
 */
const outside: Errors = {
  400: {
    'Malformed request target': 'No path can be read from the first line.',
    'Exactly one Host header is required': 'There is none, or there are two.',
    'Bad Request': 'It is not HTTP.',
  },
  404: { 'Not found': 'There is nothing at this path.' },
  405: {
    'Method Not Allowed':
      'There is something at this path, though not for this method: see `Allow`.',
  },
  408: ofAll[408]!,
  421: ofAll[421]!,
  431: ofAll[431]!,
};

/**
 * Makes the error responses of operations. Those that several operations share stand under
 * `components.responses`. The reference reads each of them once, and so opens an operation in two
 * thirds of the time.
 */
export function shareErrors(operations: Operation[]) {
  const components = outsideResponses();
  const names = new Map(
    Object.entries(components).map(([name, response]) => [JSON.stringify(response), name]),
  );
  const seen = new Set<string>();
  const own = new Map(
    operations.map((operation) => [operation, Object.entries(errorResponses(operation))]),
  );
  for (const [status, response] of [...own.values()].flat()) {
    const text = JSON.stringify(response);
    if (seen.has(text) && !names.has(text)) {
      const name = unusedName(components, componentName(Number(status)));
      names.set(text, name);
      components[name] = response;
    }
    seen.add(text);
  }
  const referTo = (response: object) => {
    const name = names.get(JSON.stringify(response));
    return name === undefined ? response : { $ref: `#/components/responses/${name}` };
  };
  const responsesOf = (operation: Operation) =>
    Object.fromEntries(own.get(operation)!.map(([status, one]) => [status, referTo(one)]));
  return { components, responsesOf };
}

function unusedName(names: object, wanted: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}${number}`;
    if (!Object.hasOwn(names, name)) return name;
  }
}

/** The errors of an operation: its own, and those that many operations share. */
function errorResponses(operation: Operation): Record<string, object> {
  const { path, isOpen = false, least, body, errors = {} } = operation;
  const all = [
    notFoundOf(path),
    errors,
    ...(body ? [ofBodies] : []),
    ...(least ? [ofRole(least)] : []),
    ...(isOpen ? [] : [ofKeys]),
    ofAll,
  ];
  const statuses = [...new Set(all.flatMap((some) => Object.keys(some)))].map(Number);
  const textsOf = (status: number) =>
    Object.assign({}, ...all.map((some) => some[status] ?? {})) as Errors[number];
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      errorResponse(status, textsOf(status), { isLimited: !isOpen }),
    ]),
  );
}

/** Responses by the name of their status. */
export function outsideResponses(): Record<string, object> {
  const entries = Object.entries(outside).map(([status, texts]) => [
    componentName(Number(status)),
    errorResponse(Number(status), texts, { isLimited: false }),
  ]);
  return Object.fromEntries(entries) as Record<string, object>;
}

const componentName = (status: number) => nameOf(status).replaceAll(' ', '');

function errorResponse(status: number, texts: Errors[number], limits: { isLimited: boolean }) {
  const examples = Object.entries(texts).map(([error, summary]) => [
    error,
    { summary, value: { error } },
  ]);
  return {
    description: [
      `${nameOf(status)}\n`,
      ...Object.entries(texts).map(([text, when]) => `- \`${text}\`: ${when}`),
    ].join('\n'),
    headers: headerRefs(headerNames(status, limits)),
    content: {
      'application/json': {
        schema: schemaRef('Error'),
        examples: Object.fromEntries(examples) as object,
      },
    },
  };
}

const nameOf = (status: number) => STATUS_CODES[status] ?? String(status);
