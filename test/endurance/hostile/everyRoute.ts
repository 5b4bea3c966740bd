import { randomUUID } from 'node:crypto';
import { randomTaskId } from '../../../src/temporal/tasks/taskId.ts';
import { cases, type Ids } from '../../api/walk.cases.ts';
import { document } from '../../helpers/openapi.ts';

/** What the attacks on every route have: the keys to each door, so that they get behind it. */
export interface Door {
  /** An owner's Authorization value, and the cookie of an owner's session. */
  key: string;
  cookie: string;
  /** The service's own, as a browser names it. */
  origin: string;
  siteId: string;
  /** A completed task. */
  taskId: string;
  organizationId: string;
}

/** A route with a request that its handler takes. */
export interface Target {
  method: string;
  path: string;
  /** What a request to it has beside its first line, without a body's own. */
  fields: string[];
  /** Absent where the route takes none. */
  body?: object;
  /** All bodies of different kinds that the route takes. */
  bodies: object[];
  /** What the API's document says of the body. */
  schema: BodySchema;
  /** Whether the body is a form, not JSON. */
  isForm: boolean;
  /** Names of fields that a query may have, and of strings that a body may have. */
  query: string[];
  more: string[];
  /** The path, with a place of its own for each parameter. */
  pathWith: (text: string) => string[];
}

/** Whole bodies, where the walk over all routes sends a wrong one. */
const whole: Record<string, object> = {
  'POST /api/v1/keys': { name: 'w', role: 'member' },
  'POST /api/v1/sites': { name: 'w' },
  'POST /api/v1/callbacks/test': { url: 'https://8.8.8.8:0/' },
  'POST /account/organizations': { name: 'w' },
  'POST /auth/sign-up/email': { name: 'w', email: 'w@example.com', password: 'w'.repeat(12) },
  'POST /auth/change-password': { currentPassword: 'w', newPassword: 'w'.repeat(12) },
  'POST /account/link': {
    token: 'w',
    name: 'w',
    email: 'w@example.com',
    password: 'w'.repeat(12),
    organization: 'w',
  },
};
/** These do something with any body that is right, so they are asked about what nobody has. */
const acts = /^POST .*(\/tasks|\/batches|publish|retry|cancel|answer|redeliver|restore)$/;

/** These take forms, as RFC 6749 and RFC 7009 say. */
const forms = /^POST \/auth\/oauth2\/(token|revoke)$/;
/** Nobody reads its body. */
const unread = /\/\.publish$/;

/** Every route of the service: the walk over all of them fails where one is missing. */
export function everyTarget({
  key,
  cookie,
  origin,
  siteId,
  taskId,
  organizationId,
}: Door): [string, Target][] {
  const nobodys = (): Ids => ({
    siteId: randomUUID(),
    organizationId,
    memberId: randomUUID(),
    invitationId: randomUUID(),
    keyId: randomUUID(),
    assistantId: randomUUID(),
    shareId: randomUUID(),
    viewShareId: randomUUID(),
    taskId: randomTaskId(),
    failed: randomTaskId(),
    running: randomTaskId(),
    batchId: randomTaskId(),
  });
  const fields = [
    'Host: localhost',
    `Authorization: ${key}`,
    `Cookie: ${cookie}`,
    `Origin: ${origin}`,
    'Accept: application/json, text/event-stream',
  ];
  return Object.entries(cases).map(([route, { asks }]) => {
    const [method = '', pattern = ''] = route.split(' ');
    const ids = { ...nobodys(), ...(!acts.test(route) && { siteId, taskId }) };
    const all = asks(ids, { siteId: ids.siteId, linkKey: 'x', shareKey: 'x' });
    const [path = '', query = ''] = all[0]!.path.split('?');
    const { queries, strings, schema } = documented(route);
    const hasBody = !unread.test(route) && (strings.length > 0 || all.some(({ body }) => body));
    const body = whole[route] ?? all.find(({ body }) => body)?.body ?? {};
    return [
      route,
      {
        method,
        path: all[0]!.path,
        fields,
        pathWith: (text) => pathsWith(pattern, path, text),
        ...(hasBody && { body }),
        bodies: hasBody ? [body, ...all.flatMap((ask) => ask.body ?? [])] : [],
        schema,
        isForm: forms.test(route),
        query: [...new Set([...queries, ...new URLSearchParams(query).keys()])],
        more: strings.filter((name) => !(name in body)),
      },
    ];
  });
}

/** The path once for each parameter of its pattern, with a text in its place. */
function pathsWith(pattern: string, path: string, text: string): string[] {
  const [names, values] = [pattern.replace('{/*path}', '/:path').split('/'), path.split('/')];
  return names.flatMap((name, at) =>
    name.startsWith(':')
      ? [names.map((_, i) => (i === at ? text : (values[i] ?? ''))).join('/')]
      : [],
  );
}

export interface BodySchema {
  $ref?: string;
  type?: string | string[];
  maxLength?: number;
  properties?: Record<string, BodySchema>;
  items?: BodySchema;
  oneOf?: BodySchema[];
  anyOf?: BodySchema[];
}

/** The most characters of the text at a place of a body; undefined if no document says so. */
export function lengthAt(schema: BodySchema, [name, ...rest]: string[]): number | undefined {
  const { maxLength, properties = {}, items, oneOf = [], anyOf = [] } = resolved(schema);
  const inner = name === undefined ? undefined : (properties[name] ?? items);
  const own = name === undefined ? maxLength : inner && lengthAt(inner, rest);
  const others = [...oneOf, ...anyOf].map((one) =>
    lengthAt(one, name === undefined ? [] : [name, ...rest]),
  );
  const lengths = [own, ...others].filter((length) => length !== undefined);
  return lengths.length === 0 ? undefined : Math.max(...lengths);
}

const resolved = (schema: BodySchema): BodySchema =>
  schema.$ref === undefined
    ? schema
    : (document.components.schemas[schema.$ref.split('/').at(-1)!] as BodySchema);

/** What the API's document says that a route takes. */
function documented(route: string): { queries: string[]; strings: string[]; schema: BodySchema } {
  const [method = '', path = ''] = route.replace('/api/v1', '').split(' ');
  const operation = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  const { content = {} } = (operation?.requestBody ?? {}) as {
    content?: Record<string, { schema: BodySchema }>;
  };
  const schema = content['application/json']?.schema ?? {};
  return {
    schema,
    queries: (operation?.parameters ?? [])
      .filter((one) => one.in === 'query')
      .map(({ name }) => name),
    strings: stringsOf(schema),
  };
}

function stringsOf(schema: BodySchema): string[] {
  const { properties = {}, oneOf = [], anyOf = [] } = resolved(schema);
  const own = Object.entries(properties).filter(([, { type = 'string' }]) =>
    [type].flat().includes('string'),
  );
  return [...new Set([...own.map(([name]) => name), ...[...oneOf, ...anyOf].flatMap(stringsOf)])];
}
