import { Validator } from '@seriousme/openapi-schema-validator';
import { expect } from 'chai';
import { STATUS_CODES } from 'node:http';
import { openapiDocument } from '../../src/api/openapi.ts';
import { healthRoutes } from '../../src/api/routes/health.ts';
import { callbackBody } from '../../src/callbacks/callbackBody.ts';
import { signatureHeaders } from '../../src/callbacks/signature.ts';
import { createdAt, startApi, type TestApi, taskId } from '../helpers/api.ts';
import { document, problemsOf, schemaProblems } from '../helpers/openapi.ts';

interface FoundObject {
  at: string[];
  value: Record<string, unknown>;
}

/** Every object in the document that has the given name in it, with the names that lead to it. */
function* objectsWith(
  name: string,
  value: unknown = document,
  at: string[] = [],
): Generator<FoundObject> {
  if (typeof value !== 'object' || value === null) return;
  const object = value as Record<string, unknown>;
  if (name in object && !at.includes('properties')) yield { at, value: object };
  for (const [key, inner] of Object.entries(object)) yield* objectsWith(name, inner, [...at, key]);
}

describe('GET /openapi.json', () => {
  let api: TestApi;
  before(async () => (api = await startApi()));
  after(() => api.close());

  it('returns the document without a key, for the address that clients use', async () => {
    const { status, headers, text } = await api.request('GET', '/api/v1/openapi.json');
    expect([status, headers.get('content-type')]).to.deep.equal([
      200,
      'application/json; charset=utf-8',
    ]);
    expect(text).to.equal(
      JSON.stringify(openapiDocument({ publicUrl: 'https://api.example.com', retentionDays: 30 })),
    );
    expect(document).to.have.nested.property('servers[0].url', 'https://api.example.com/api/v1');
  });

  it('names exactly the routes of the service', () => {
    const health = healthRoutes(() => Promise.resolve({})).stack;
    const routes = [...api.routes, ...health].flatMap(({ path, methods }) =>
      methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${String(path)}`),
    );
    const named = Object.entries(document.paths).flatMap(([path, { servers, ...methods }]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${servers ? '' : '/api/v1'}${path}`,
      ),
    );
    const pages = /^\w+ \/(edit|docs|auth|account|mcp)\b|^GET \/(?!api\/|healthz|readyz)/;
    const described = routes.filter((route) => !pages.test(route));
    expect(described.map((route) => route.replace(/:(\w+)/g, '{$1}'))).to.have.members(named);
  });
});

type Responses = Record<string, { $ref?: string }>;

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors).to.equal(undefined);
    expect(valid).to.equal(true);
  });

  it('has only schemas that compile, and examples that fit their schemas', () => {
    const schemas = [...objectsWith('schema')];
    expect(schemas).to.have.length.above(30);
    for (const name of Object.keys(document.components.schemas))
      schemaProblems(['components', 'schemas', name], {});
    for (const { at, value } of schemas) {
      const examples = Object.values(
        (value['examples'] ?? {}) as Record<string, { value: unknown }>,
      );
      const all = [
        ...examples.map((example) => example.value),
        ...('example' in value ? [value['example']] : []),
      ];
      schemaProblems([...at, 'schema'], {});
      for (const example of all)
        expect(schemaProblems([...at, 'schema'], example), at.join(' ')).to.equal('');
    }
  });

  it('always includes the title and the creator of a task', () => {
    type Fields = {
      required: string[];
      properties: Record<string, { type?: unknown; oneOf?: unknown }>;
    };
    const { TaskSummary, RunningTask, CompletedTask, FailedTask } = document.components
      .schemas as unknown as Record<string, Fields>;
    const always = ['title', 'createdBy', 'follows', 'siteId', 'type', 'createdAt'];
    for (const view of [TaskSummary, RunningTask, CompletedTask, FailedTask]) {
      const { required, properties } = view!;
      expect(required).to.include.members(always);
      expect(properties['title']!.type).to.equal('string');
      expect(properties['createdBy']).to.not.have.property('oneOf');
    }
  });

  it('has an example of every error and of every body', () => {
    for (const { at, value } of objectsWith('schema'))
      if (at.includes('content') && !at.includes('/openapi.json'))
        expect(value['examples'] ?? {}, at.join(' ')).to.not.be.empty;
  });

  it('defines an error that several operations share once, under a name of its own', () => {
    const operations = [...objectsWith('operationId')].map(
      ({ value }) => value['responses'] as Responses,
    );
    const errors = operations.flatMap((responses) =>
      Object.entries(responses).filter(([status]) => status >= '400'),
    );
    const refs = errors.flatMap(([status, { $ref }]) =>
      $ref ? [[status, $ref.split('/').at(-1)!] as const] : [],
    );
    expect(refs).to.have.length.above(100);
    for (const [status, name] of refs) {
      const first = document.components.responses[name]!.description.split('\n')[0];
      expect(first, name).to.equal(STATUS_CODES[status]);
    }
    const written = errors.flatMap(([, error]) => (error.$ref ? [] : [JSON.stringify(error)]));
    expect(new Set(written).size).to.equal(written.length);
  });

  it('describes every operation and every parameter under a unique name', () => {
    const operations = [...objectsWith('operationId')].map(({ value }) => value);
    expect(new Set(operations.map(({ operationId }) => operationId)).size).to.equal(
      operations.length,
    );
    for (const operation of operations) expect(operation['summary']).to.match(/^[A-Z].{5,80}[^.]$/);
    for (const { value } of objectsWith('in'))
      expect(value['description'], String(value['name'])).to.be.a('string').not.empty;
  });

  it('lists the answers that any request may get: too slow, too long, wrong host', () => {
    const operations = [...objectsWith('operationId')].filter(({ at }) => at[0] === 'paths');
    for (const { at, value } of operations)
      expect(value['responses'], at.join(' ')).to.include.all.keys('408', '421', '431', '500');
  });

  it('describes slugs and texts', () => {
    const { GeneratePagesTask, PageItem, PromptTask } = document.components.schemas;
    const existing = slugPattern(GeneratePagesTask, 'templatePageSlug');
    const target = slugPattern(PageItem, 'targetPageSlug');
    for (const pattern of [existing, target]) {
      const taken = ['/a', 'a', `/${'a'.repeat(199)}`, 'a'.repeat(199)].map((text) =>
        pattern.test(text),
      );
      expect(taken).to.deep.equal([true, true, true, true]);
      const refused = ['', '/a%2e', 'a?b', '/a#b', 'a\\b', 'a'.repeat(200)].map((text) =>
        pattern.test(text),
      );
      expect(refused).to.deep.equal(Array(6).fill(false));
    }
    expect([existing, target].map((pattern) => pattern.test('/our work'))).to.deep.equal([
      true,
      false,
    ]);
    expect(GeneratePagesTask).to.deep.nested.include({
      'properties.templatePageSlug.maxLength': 200,
      'properties.items.items.$ref': '#/components/schemas/PageItem',
    });
    expect(PageItem).to.deep.nested.include({
      'properties.targetPageSlug.maxLength': 200,
      'properties.context.maxLength': 100_000,
    });
    expect(PromptTask).to.deep.nested.include({
      'properties.prompt.maxLength': 20_000,
      'properties.prompt.pattern': '\\S',
    });
  });

  it('describes callbacks as they are sent', () => {
    const at = ['components', 'pathItems', 'taskFinished', 'post'];
    const page = {
      slug: '/a',
      previewUrl: 'http://p/a',
      editUrl: null,
      publishedUrl: null,
      externalId: 'x',
    };
    const output = { pagesCreated: [page], pagesModified: [page], pagesDeleted: [page] };
    const bodies = [
      callbackBody(taskId, { status: 'completed', output, finishedAt: createdAt }),
      callbackBody(taskId, {
        status: 'failed',
        errorMessage: 'Template page not found: /x',
        finishedAt: createdAt,
      }),
    ];
    for (const body of bodies)
      expect(
        schemaProblems(
          [...at, 'requestBody', 'content', 'application/json', 'schema'],
          JSON.parse(body),
        ),
      ).to.equal('');
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const headers = signatureHeaders({
      secrets: [secret],
      webhookId: taskId,
      timestamp: new Date(createdAt),
      body: bodies[0]!,
    });
    const { parameters } = document.components.pathItems['taskFinished']!['post']!;
    expect(parameters!.map(({ name }) => name)).to.deep.equal(Object.keys(headers));
    for (const [i, value] of Object.values(headers).entries())
      expect(schemaProblems([...at, 'parameters', String(i), 'schema'], value)).to.equal('');
  });
});

describe('an answer that does not match the OpenAPI document', () => {
  const exchange = {
    method: 'GET',
    path: '/healthz',
    status: 200,
    body: '{"status":"ok"}',
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'a' },
  };
  const changes = {
    'another status': [{ status: 201 }, 'the operation has no such status'],
    'another path': [{ path: '/api/v1/nothing' }, 'not in the document'],
    'another method': [{ method: 'PUT', path: '/api/v1/agent/tasks' }, 'not in the document'],
    'another media type': [
      { headers: { ...exchange.headers, 'content-type': 'text/html' } },
      'content type text/html',
    ],
    'a header that is missing': [
      { headers: { 'content-type': 'application/json' } },
      'header X-Request-Id',
    ],
    'another body': [{ body: '{"status":"ok","more":1}' }, 'must NOT have additional properties'],
    'another error': [{ status: 500, body: '{"error":"Oh dear, no"}' }, 'no error has the code'],
    'a request with more than it says': [
      { query: ['verbose'], sent: '{}' },
      'no query parameter verbose',
    ],
  } as const;

  it('is not reported if nothing differs', () => expect(problemsOf(exchange)).to.deep.equal([]));
  for (const [name, [change, problem]] of Object.entries(changes))
    it(`is found: ${name}`, () =>
      expect(problemsOf({ ...exchange, ...change } as typeof exchange).join()).to.include(problem));

  it('fails the test that made the request', async () => {
    const api = await startApi({ readiness: () => Promise.resolve({ database: 7 } as never) });
    const error = await api.request('GET', '/readyz').catch(String);
    await api.close();
    expect(error).to.match(/Not as the OpenAPI document says:\nGET \/readyz -> 503: .*checks/);
  });
});

const slugPattern = (schema: unknown, field: string) =>
  new RegExp(
    (schema as { properties: Record<string, { pattern: string }> }).properties[field]!.pattern,
    'u',
  );
