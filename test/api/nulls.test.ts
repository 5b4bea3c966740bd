import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { DomainError } from '../../src/errors.ts';
import { bearer, keys, startApi, type TestApi } from '../helpers/api.ts';
import { document, schemaProblems, withoutWrongEntries } from '../helpers/openapi.ts';

type Json = Record<string, unknown>;
type Path = (string | number)[];
interface Body {
  /** Of the operation in the document. */
  at: [path: string, method: string];
  body: Json;
}

const uuid = '2ccccd9d-5b1e-4b77-8593-be03be951734';
const task = {
  siteId: uuid,
  baseTaskId: `bg-${'a1'.repeat(11)}`,
  callbackUrl: 'https://a.example/',
  publish: true,
  onWarnings: 'hold',
  ask: 'allowed',
  model: 'rules',
  title: 'A task',
  budget: { turns: 1, tokens: 1, minutes: 1, pagesChanged: 1, pagesDeleted: 1 },
};
const item = { targetPageSlug: '/a', context: 'City: A', externalId: 'a', facts: 'keep' };
const tasks = [
  { ...task, command: 'prompt', prompt: 'Do it' },
  { ...task, command: 'generate_pages', templatePageSlug: '/t', items: [item], linkFrom: '/l' },
];
const batches = [
  {
    siteId: uuid,
    templatePageSlug: '/t',
    title: 'A batch',
    publish: true,
    onWarnings: 'hold',
    facts: 'drop',
    linkFrom: '/l',
    canary: 1,
    holdBelow: 0.2,
    callbackUrl: 'https://a.example/',
    model: 'rules',
    rows: [{ ...item, templatePageSlug: '/t' }],
  },
];
const token = { type: 'token', username: 'x', token: 'y' };
const app = {
  type: 'github-app',
  appId: '1',
  installationId: '2',
  privateKey: '-----BEGIN PRIVATE KEY-----',
};
const deployKey = { type: 'deploy-key', deployKeyId: uuid };
const repositories = [token, app, deployKey].map((credential) => ({
  url: 'https://git.example/a.git',
  branch: 'main',
  root: 'site',
  credential,
}));
const author = { name: 'Acme', email: 'a@b.example' };
const hosts = [
  { type: 'embedded' },
  {
    type: 'own',
    forge: 'gitea',
    apiUrl: 'https://git.example/api/v1',
    project: 'team/a',
    publish: 'pull-request',
    merge: 'automatic',
    hosts: ['*.pages.example'],
    previewUrl: 'https://{branch}.pages.example',
    liveUrl: 'https://a.pages.example',
    previewReports: ['preview'],
    liveReports: ['live'],
    reporter: 'host',
    bypass: { header: 'x-bypass', value: 'y' },
    pageUrls: [{ folder: 'src/content/blog', pattern: '/blog/:slug' }],
    buildMinutes: 5,
    hasPreviews: false,
    publishWindow: 30,
  },
];
const places = [
  ...repositories.map((repository) => ({ repository })),
  ...hosts.map((host) => ({ repository: repositories[0], host })),
];
const sites = places.map((place) => ({ name: 'Acme', ...place, author }));
const siteChanges = sites.map((site) => ({ ...site, publishApproval: 'another-person' }));

/**
 * Bodies with every field that there is; those of other operations have them in the document's
 * examples.
 */
const whole: Record<string, Json[]> = {
  '/agent/tasks': tasks,
  '/agent/tasks/check': tasks,
  '/agent/batches': batches,
  '/agent/batches/check': batches,
  '/sites': sites,
  '/sites/check': places.map((place) => ({ siteId: randomUUID(), ...place })),
  '/webhooks/forges/{siteId}': [], // the forge's own
  '/sites/{siteId}': siteChanges,
  '/shared/{shareId}': [{ key: 'x', limit: 10, cursor: 'y' }],
  '/webhook-endpoints/{endpointId}': [
    { url: 'https://a.example/', description: 'CRM', eventTypes: ['task.failed'], enabled: true },
  ],
  '/organization': [{ name: 'Acme', tokensPerMonth: 1_000 }],
  '/agent/tasks/{taskId}/publish': [
    { callbackUrl: 'https://a.example/', title: 'A task', leaveOut: [] },
  ],
  '/agent/tasks/{taskId}/retry': [{ callbackUrl: 'https://a.example/', title: 'A task' }],
  '/agent/tasks/{taskId}/notes/drop': [
    {
      page: '/a',
      kind: 'price',
      slots: ['s1'],
      notes: ['0f1e2d3c4b5a6978'],
      text: 'from $5,200',
      value: '$4,800',
      places: { since: 'Date' },
    },
  ],
  '/sites/{siteId}/deployments/{deploymentId}/restore': [
    { callbackUrl: 'https://a.example/', title: 'A task' },
  ],
};

type Schema = Json & { $ref?: string; properties?: Record<string, Schema>; items?: Schema };

const resolved = (schema: Schema): Schema =>
  schema.$ref
    ? ((document.components.schemas as Record<string, Schema>)[schema.$ref.split('/').at(-1)!] ??
      {})
    : schema;

/** Every field that the document describes, by the names that lead to it. */
function fieldsOf(given: Schema): string[] {
  const { properties = {}, items, ...others } = resolved(given);
  const choices = ['oneOf', 'anyOf', 'allOf'].flatMap(
    (name) => (others[name] as Schema[] | undefined) ?? [],
  );
  const own = Object.entries(properties).flatMap(([name, inner]) => [
    name,
    ...fieldsOf(inner).map((field) => `${name}.${field}`),
  ]);
  const inner = items ? fieldsOf(items).map((field) => `0.${field}`) : [];
  return [...new Set([...own, ...inner, ...choices.flatMap(fieldsOf)])];
}

/** Fields with entries whose names clients choose. */
const freelyNamed = new Set(['places']);

function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const own = [...path, name];
    if (!Array.isArray(value) && !freelyNamed.has(String(path.at(-1)))) yield own;
    yield* pathsIn(inner, own);
  }
}

function withNull(body: Json, path: Path): Json {
  const copy = structuredClone(body);
  const parent = path.slice(0, -1).reduce<Json>((at, name) => at[name] as Json, copy);
  parent[path.at(-1)!] = null;
  return copy;
}

describe('null in place of a field', () => {
  let api: TestApi;
  before(async () => {
    const fail = (error: DomainError) => () => Promise.reject(error);
    const unread = fail(new DomainError('UNAVAILABLE', 'Not here'));
    const full = fail(
      new DomainError(
        'CONFLICT',
        'You already have 100 keys, including those that your keys created. Revoke some of them first.',
      ),
    );
    const rotated = fail(
      new DomainError(
        'CONFLICT',
        '100 rotated keys of the same creator are still valid. Revoke some of them first.',
      ),
    );
    const organization = {
      organizationId: uuid,
      name: 'Acme',
      createdAt: '2030-01-01T00:00:00.000Z',
      tokensPerMonth: null,
    };
    const ofOrganization = () => Promise.resolve(organization);
    api = await startApi({
      organizations: {
        get: ofOrganization,
        change: ofOrganization,
        callbackRotation: unread,
        rotateCallbackSecret: unread,
      },
      siteSettings: {
        check: unread,
        create: unread,
        change: unread,
        newWebhookSecret: unread,
        remove: unread,
      },
      teamKeys: { list: full, create: full, rotate: rotated, revoke: full },
    });
  });
  after(() => api.close());

  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, { requestBody?: object }>).flatMap(
      ([method, { requestBody }]) => (requestBody ? [{ path, method, requestBody }] : []),
    ),
  );

  for (const { path, method, requestBody } of operations) {
    const media = (
      requestBody as {
        content: Record<string, { schema: Schema; examples: Record<string, { value: Json }> }>;
      }
    ).content['application/json']!;
    const bodies = whole[path] ?? Object.values(media.examples).map(({ value }) => value);
    it(`is accepted by ${method.toUpperCase()} ${path} only where the OpenAPI document allows it`, async () => {
      const tried = new Set<string>();
      for (const body of bodies)
        for (const field of pathsIn(body)) {
          tried.add(field.join('.'));
          const sent = withNull(body, field);
          const isRefused = await refuses({ at: [path, method], body: sent });
          expect(isRefused, `${field.join('.')}: null`).to.equal(
            forbids({ at: [path, method], body: sent }),
          );
        }
      expect([...tried]).to.have.members(fieldsOf(media.schema));
    });
  }

  const forbids = ({ at, body }: Body) =>
    schemaProblems(
      ['paths', ...at, 'requestBody', 'content', 'application/json', 'schema'],
      withoutWrongEntries(at[0], body),
    ) !== '';

  /** Whether a body is refused for its form, whatever becomes of the request. */
  async function refuses({ at: [path, method], body }: Body): Promise<boolean> {
    const names: Record<string, string> = { '{taskId}': `bg-${'a1'.repeat(11)}` };
    const base = document.paths[path]!.servers ? '' : '/api/v1';
    const target = `${base}${path.replace(/\{\w+\}/g, (name) => names[name] ?? uuid)}`;
    const { status, json } = await api.request(method.toUpperCase(), target, {
      headers: {
        ...bearer(keys.owner),
        'Content-Type': 'application/json',
        Origin: 'https://api.example.com',
      },
      body: JSON.stringify(body),
    });
    return status === 400 && String(json['error']).startsWith('Invalid request body');
  }
});
