import { STATUS_CODES } from 'node:http';
import packageJson from '../../package.json' with { type: 'json' };
import { type Components, createComponents } from './openapi/components.ts';
import { errorRefs, errorResponses, errorSchema } from './openapi/errors.ts';
import { examplesOf } from './openapi/exampleOf.ts';
import { headerNames, headerRefs, headers } from './openapi/headers.ts';
import { introduction } from './openapi/introduction.ts';
import { mapValues, queryParametersOf } from './openapi/jsonSchema.ts';
import type { Operation, RequestBody } from './openapi/operation.ts';
import { organizationOperations } from './openapi/organizationOperations.ts';
import { pathParametersOf } from './openapi/parameters.ts';
import { withExamples } from './openapi/patterns.ts';
import { siteOperations } from './openapi/siteOperations.ts';
import { tags } from './openapi/tags.ts';
import { taskOperations } from './openapi/taskOperations.ts';
import { callbacksOf, webhookItems, webhooks } from './openapi/webhooks.ts';

const operations: Record<string, Operation> = {
  ...taskOperations,
  ...siteOperations,
  ...organizationOperations,
};

interface Facts {
  /** The base address that clients use, without a path. */
  publicUrl: string;
  /** Days that Temporal keeps a finished task. */
  retentionDays: number;
}

/** The OpenAPI 3.1 document of the API. */
export function openapiDocument({ publicUrl, retentionDays }: Facts) {
  const components = createComponents();
  const paths = pathsOf(publicUrl, components);
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
          description: 'An API key of your organization: `ak_…`.',
        },
      },
    },
  });
}

function pathsOf(publicUrl: string, components: Components) {
  const paths: Record<string, Record<string, unknown>> = {};
  const atRoot = [{ url: new URL('/', publicUrl).origin }];
  for (const [operationId, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = operation.route.split(' ');
    const item = (paths[path] ??= operation.atRoot ? { servers: atRoot } : {});
    item[method.toLowerCase()] = operationObject(operationId, operation, components);
  }
  return paths;
}

const roleSentences = { open: '', admin: 'Needs the role admin.', owner: 'Needs the role owner.' };

function operationObject(operationId: string, operation: Operation, components: Components) {
  const { route, tag, summary, description, access, query, headers, body, webhook } = operation;
  const role = access ? roleSentences[access] : '';
  const parameters = [
    ...pathParametersOf(route),
    ...(headers ?? []),
    ...(query ? queryParametersOf(query, components.request) : []),
  ];
  return {
    tags: [tag],
    operationId,
    summary,
    description: [description, role].filter(Boolean).join(' ') || undefined,
    security: access === 'open' ? [] : [{ apiKey: [] }],
    parameters: parameters.length > 0 ? parameters : undefined,
    requestBody: body && requestObject(body, components),
    callbacks: webhook && components.answer(callbacksOf(webhook)),
    responses: { ...answersOf(operation, components), ...errorRefs(operation) },
  };
}

function requestObject(request: RequestBody, components: Components) {
  const { name, schema, isOptional = false, examples, others } = request;
  const json = { schema: components.request(name, schema), examples: valuesOf(examples) };
  return { required: !isOptional, content: { 'application/json': json, ...others } };
}

function answersOf(operation: Operation, components: Components) {
  const { answer, status = answer ? 200 : 204, others = {}, access, answerHeaders } = operation;
  const all = Object.entries({ [status]: answer ?? null, ...others });
  return Object.fromEntries(
    all.map(([each, schema]) => {
      const names = headerNames(Number(each), { isLimited: access !== 'open' });
      const object = {
        description: STATUS_CODES[each],
        headers: headerRefs([...names, ...(answerHeaders ?? [])]),
        content: schema ? contentOf(schema, components) : undefined,
      };
      return [each, object];
    }),
  );
}

function contentOf(schema: NonNullable<Operation['answer']>, components: Components) {
  if (!('stream' in schema))
    return {
      'application/json': { schema: components.answer(schema), examples: examplesOf(schema) },
    };
  return {
    'text/event-stream': { schema: { type: 'string' }, examples: valuesOf(schema.stream) },
  };
}

const valuesOf = (examples: Record<string, unknown>) => mapValues(examples, (value) => ({ value }));
