import { STATUS_CODES } from 'node:http';
import packageJson from '../../package.json' with { type: 'json' };
import { approvalOperations } from './openapi/approvalOperations.ts';
import { guestReviewOperations } from './openapi/guestReviewOperations.ts';
import { type DocumentComponents, createComponents } from './openapi/components.ts';
import { errorRefs, errorResponses, errorSchema } from './openapi/errors.ts';
import { examplesOf } from './openapi/exampleOf.ts';
import { headerNames, headerRefs, headers } from './openapi/headers.ts';
import { introduction } from './openapi/introduction.ts';
import { mapValues, queryParametersOf } from './openapi/jsonSchema.ts';
import type { ApiOperation, RequestBody } from './openapi/operation.ts';
import { organizationOperations } from './openapi/organizationOperations.ts';
import { pathParametersOf } from './openapi/parameters.ts';
import { withExamples } from './openapi/patterns.ts';
import { siteOperations } from './openapi/siteOperations.ts';
import { tags } from './openapi/tags.ts';
import { reviewOperations } from './openapi/reviewOperations.ts';
import { taskOperations } from './openapi/taskOperations.ts';
import { callbacksOf, webhookItems, webhooks } from './openapi/webhooks.ts';

/**
 * The OpenAPI document, from the same Joi and typebox schemas that validate requests and type
 * responses. Files in openapi/:
 *
 * - `taskOperations.ts`, `reviewOperations.ts`, `siteOperations.ts`, `organizationOperations.ts`:
 *   what each route does. A test asserts that every route is here.
 * - `jsonSchema.ts` converts Joi schemas, and `writtenRequests.ts` has those that it can't convert.
 * - `components.ts` collects the schemas that have names, and makes references to them.
 * - `errors.ts`, `headers.ts`, `parameters.ts`, `patterns.ts`: what operations share.
 *
 * In:  `{ route: 'GET /members', summary: 'List …', query: peopleQuery, answer: MemberList }`
 * Out: `{ paths: { '/members': { get: { summary, parameters, responses } } }, components, … }`
 */

const operations: Record<string, ApiOperation> = {
  ...taskOperations,
  ...reviewOperations,
  ...siteOperations,
  ...organizationOperations,
  ...approvalOperations,
  ...guestReviewOperations,
};

interface DocumentSettings {
  /** The base address that clients use, without a path. */
  publicUrl: string;
  /** Days that Temporal keeps a finished task. */
  retentionDays: number;
}

/** The OpenAPI 3.1 document of the API. */
export function openapiDocument({ publicUrl, retentionDays }: DocumentSettings) {
  const components = createComponents();
  const paths = documentPaths(publicUrl, components);
  const pathItems = components.answer(webhookItems) as typeof webhookItems;
  return withExamples({
    openapi: '3.1.1',
    info: {
      title: 'Agent Tasks Service',
      version: packageJson.version,
      summary: packageJson.description,
      description: introduction(retentionDays),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: new URL('/api/v1', publicUrl).href }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas: { Error: errorSchema, ...components.schemas },
      headers,
      pathItems,
      responses: errorResponses(Object.values(operations)),
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key of your organization. It starts with `ak_`.',
        },
      },
    },
  });
}

function documentPaths(publicUrl: string, components: DocumentComponents) {
  const paths: Record<string, Record<string, unknown>> = {};
  const rootServers = [{ url: new URL('/', publicUrl).origin }];
  for (const [operationId, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = operation.route.split(' ');
    const pathItem = (paths[path] ??= operation.atRoot ? { servers: rootServers } : {});
    pathItem[method.toLowerCase()] = operationObject(operationId, operation, components);
  }
  return paths;
}

const roleSentences = {
  open: '',
  admin: 'The key needs the role admin.',
  owner: 'The key needs the role owner.',
};

function operationObject(
  operationId: string,
  operation: ApiOperation,
  components: DocumentComponents,
) {
  const { route, tag, summary, description, access, query, headers, body, webhook } = operation;
  const roleSentence = access ? roleSentences[access] : '';
  const parameters = [
    ...pathParametersOf(route),
    ...(headers ?? []),
    ...(query ? queryParametersOf(query, components.request) : []),
  ];
  return {
    tags: [tag],
    operationId,
    summary,
    description: [description, roleSentence].filter(Boolean).join(' ') || undefined,
    security: access === 'open' ? [] : [{ apiKey: [] }],
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: body && requestObject(body, components),
    callbacks: webhook && components.answer(callbacksOf(webhook)),
    responses: { ...operationResponses(operation, components), ...errorRefs(operation) },
  };
}

function requestObject(request: RequestBody, components: DocumentComponents) {
  const { name, schema, isOptional = false, examples, others } = request;
  const jsonContent = {
    schema: components.request(name, schema),
    examples: exampleObjects(examples),
  };
  return { required: !isOptional, content: { 'application/json': jsonContent, ...others } };
}

function operationResponses(operation: ApiOperation, components: DocumentComponents) {
  const { answer, status = answer ? 200 : 204, others = {}, access, answerHeaders } = operation;
  const responseEntries = Object.entries({ [status]: answer ?? null, ...others });
  return Object.fromEntries(
    responseEntries.map(([responseStatus, schema]) => {
      const headerFieldNames = headerNames(Number(responseStatus), {
        isLimited: access !== 'open',
      });
      const responseObject = {
        description: STATUS_CODES[responseStatus],
        headers: headerRefs([...headerFieldNames, ...(answerHeaders ?? [])]),
        content: schema ? responseContent(schema, components) : undefined,
      };
      return [responseStatus, responseObject];
    }),
  );
}

function responseContent(
  schema: NonNullable<ApiOperation['answer']>,
  components: DocumentComponents,
) {
  if (!('stream' in schema))
    return {
      'application/json': { schema: components.answer(schema), examples: examplesOf(schema) },
    };
  return {
    'text/event-stream': { schema: { type: 'string' }, examples: exampleObjects(schema.stream) },
  };
}

const exampleObjects = (examples: Record<string, unknown>) =>
  mapValues(examples, (value) => ({ value }));
