import { STATUS_CODES } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openapiDocument } from '../../src/api/openapi.ts';
import { noteTextsIn, unreadableNotes } from './noteWords.ts';
import { unroutedStatuses } from '../../src/api/openapi/errors.ts';

/** One request and what it was answered, as the document is asked about it. */
export interface Exchange {
  method: string;
  /** Without a query string. */
  path: string;
  query?: string[];
  sent?: string;
  status: number;
  headers: Record<string, string>;
  /** Absent where there is none or it is a stream. */
  body?: string;
}

interface Response {
  description: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<
    string,
    { schema: object; examples?: Record<string, { value: { error?: string } }> }
  >;
}
interface OperationObject {
  parameters?: { name: string; in: string }[];
  requestBody?: object;
  responses: Record<string, Response | { $ref: string }>;
}
type PathItem = Record<string, OperationObject> & { servers?: unknown };

export const document = JSON.parse(
  JSON.stringify(openapiDocument({ publicUrl: 'https://api.example.com', retentionDays: 30 })),
) as {
  paths: Record<string, PathItem>;
  webhooks: Record<string, { $ref: string }>;
  components: {
    pathItems: Record<string, PathItem>;
    responses: Record<string, Response>;
    schemas: Record<string, object>;
  };
};
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
formats.default(ajv);
ajv.addVocabulary([...Object.keys(document), 'discriminator']);
ajv.addSchema(document, 'openapi');

const validators = new Map<string, ReturnType<typeof ajv.compile>>();

/**
 * What is wrong with a value by the schema at these names of the document; empty when nothing is.
 */
export function schemaProblems(at: string[], value: unknown): string {
  const pointer = at
    .map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  let validate = validators.get(pointer);
  if (!validate) validators.set(pointer, (validate = ajv.compile({ $ref: `openapi#/${pointer}` })));
  return validate(value) ? '' : ajv.errorsText(validate.errors, { dataVar: 'body' });
}

/**
 * Every way in which the exchange is not what the document says; none for what is no part of the
 * API.
 */
export function problemsOf(exchange: Exchange): string[] {
  const found = findPath(exchange.path);
  const method = exchange.method === 'HEAD' ? 'get' : exchange.method.toLowerCase();
  const operation = found && document.paths[found]?.[method];
  const problems = operation
    ? ofOperation([found, method], operation, exchange)
    : ofOutside(exchange);
  return problems.map(
    (problem) => `${exchange.method} ${exchange.path} -> ${exchange.status}: ${problem}`,
  );
}

/** Throws where the exchange is not as the document says. */
export function checkExchange(exchange: Exchange): void {
  const problems = problemsOf(exchange);
  if (problems.length > 0)
    throw new Error(`Not as the OpenAPI document says:\n${problems.join('\n')}`);
}

/** The paths of the document, the most literal first, and what matches them. */
const patterns = Object.entries(document.paths)
  .map(([template, item]) => {
    const pattern = template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+');
    return { template, matcher: new RegExp(`^${item.servers ? '' : '/api/v1'}${pattern}$`) };
  })
  .sort((a, b) => a.template.split('{').length - b.template.split('{').length);

const findPath = (path: string): string | undefined =>
  patterns.find(({ matcher }) => matcher.test(path))?.template;

function ofOperation(
  at: [string, string],
  operation: OperationObject,
  exchange: Exchange,
): string[] {
  const response = operation.responses[exchange.status];
  if (!response) return ['the operation has no such status'];
  const where = ['paths', ...at];
  const own = [...where, 'responses', String(exchange.status)];
  return [
    ...('$ref' in response
      ? sharedProblems(nameIn(response), exchange)
      : responseProblems(own, response, exchange)),
    ...(exchange.status < 300 ? requestProblems(where, operation, exchange) : []),
  ];
}

/** What the service took must be something that the document allows to send. */
function requestProblems(
  at: string[],
  operation: OperationObject,
  { sent, query = [] }: Exchange,
): string[] {
  const known = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => name);
  const unknown = query
    .filter((name) => !known.includes(name))
    .map((name) => `no query parameter ${name}`);
  if (!sent) return unknown;
  if (!operation.requestBody) return [...unknown, 'a body, although the operation takes none'];
  const body = withoutWrongEntries(at[1]!, JSON.parse(sent.replace(/^\ufeff/, '')));
  const problem = schemaProblems(
    [...at, 'requestBody', 'content', 'application/json', 'schema'],
    body,
  );
  return problem ? [...unknown, `took a request that the document forbids: ${problem}`] : unknown;
}

/** Lists of requests whose wrong entries fail alone, with the schema of an entry. */
const listsOfEntries: Record<string, { list: string; entry: string; needsRight?: true }> = {
  '/agent/batches': { list: 'rows', entry: 'BatchRowRequest', needsRight: true },
  '/agent/batches/check': { list: 'rows', entry: 'BatchRowRequest' },
  '/agent/tasks/check': { list: 'items', entry: 'PageItem' },
};

/** The body with a right entry in the place of each wrong one that fails alone. */
export function withoutWrongEntries(path: string, body: unknown): unknown {
  const { list, entry, needsRight } = listsOfEntries[path] ?? {};
  const entries = (body as Record<string, unknown>)[list ?? ''];
  if (!list || !Array.isArray(entries)) return body;
  const isRight = (one: unknown) => schemaProblems(['components', 'schemas', entry!], one) === '';
  if (needsRight && !entries.some(isRight)) return body;
  const right = { targetPageSlug: '/right', context: 'right' };
  const replaced = (entries as unknown[]).map((one) => (isRight(one) ? one : right));
  return { ...(body as object), [list]: replaced };
}

/**
 * Answers outside the operations: under /api only shared errors and OPTIONS; elsewhere all JSON
 * errors but pages'.
 */
function ofOutside(exchange: Exchange): string[] {
  const isApi = exchange.path.startsWith('/api/');
  if (/^\/(docs|edit|auth|account)(\/|$)/.test(exchange.path)) return [];
  if (exchange.status === 200 && exchange.method === 'OPTIONS' && exchange.headers['allow'])
    return [];
  if (exchange.status < 400) return isApi ? ['not in the document'] : [];
  if (!isApi && !/json/.test(exchange.headers['content-type'] ?? '')) return [];
  if (!unroutedStatuses.includes(exchange.status))
    return [`no request outside of the operations gets ${exchange.status} ${exchange.body}`];
  return sharedProblems(STATUS_CODES[exchange.status]!.replaceAll(' ', ''), exchange);
}

const nameIn = ({ $ref }: { $ref: string }) => $ref.split('/').at(-1)!;
const sharedProblems = (name: string, exchange: Exchange) =>
  responseProblems(
    ['components', 'responses', name],
    document.components.responses[name]!,
    exchange,
  );

function responseProblems(
  at: string[],
  { headers = {}, content = {} }: Response,
  exchange: Exchange,
): string[] {
  const type = exchange.headers['content-type']?.split(';')[0] ?? 'none';
  const missing = Object.entries(headers).flatMap(([name, { $ref }]) => {
    const problem = schemaProblems(
      [...$ref.split('/').slice(1), 'schema'],
      exchange.headers[name.toLowerCase()],
    );
    return problem ? [`header ${name}: ${problem}`] : [];
  });
  if (type === 'none' && Object.keys(content).length === 0) return missing;
  if (!content[type])
    return [
      ...missing,
      `the content type ${type} is not one of ${Object.keys(content).join(', ')}`,
    ];
  if (exchange.body === undefined || exchange.method === 'HEAD') return missing;
  const body: unknown = type === 'application/json' ? JSON.parse(exchange.body) : exchange.body;
  const problem = schemaProblems([...at, 'content', type, 'schema'], body);
  const code = exchange.headers['agent-tasks-error']?.split(';')[0] ?? 'none';
  const { examples = {} } = content[type];
  const isKnown =
    exchange.status < 400 ||
    !isError(body) ||
    Object.hasOwn(examples, code) ||
    // what nobody foresaw has any code
    (exchange.status === 500 && body.error === STATUS_CODES[500]);
  return [
    ...missing,
    ...(problem ? [problem] : []),
    ...(isKnown ? [] : [`no error has the code ${code}: ${exchange.body}`]),
    ...unreadableNotes(noteTextsIn(body)).map(
      (text) => `people do not understand the note: ${text}`,
    ),
  ];
}

const isError = (body: unknown): body is { error: string } =>
  typeof (body as { error?: unknown }).error === 'string';
