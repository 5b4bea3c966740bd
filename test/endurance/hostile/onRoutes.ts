import { limits } from '../../../src/contract/task.ts';
import { lengthAt, type Target } from './everyRoute.ts';
import { worstDocuments, worstText, type WorstUnit } from './units.ts';

/** Texts as names, titles, addresses, notes, words and keys. */
export const texts = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '"}\n{"level":"error"',
  "' OR '1'='1",
  '../../etc/passwd',
  '__proto__',
  'constructor',
  '-rf',
  '${7*7}{{7*7}}',
  'a\0b',
  'a\r\nSet-Cookie: a=b',
  '\x1b[31ma',
  'a\u0085b',
  'a\u2028b',
  'a\ud800',
  '\udc00a',
  '\u202egpj.exe\u2066',
  '\u200b\ufeff',
  'a\u0301'.repeat(300),
  '👩\u200d👩'.repeat(50),
  'x'.repeat(9_000),
  `x@${'a.'.repeat(100)}example`,
];
/** The same in addresses, beside what only an address can have. */
const inAddresses = [
  ...texts.filter((text) => text.isWellFormed() && text.length < 100).map(encodeURIComponent),
  '%ed%a0%80',
  '%ff',
  '%',
  '..',
  '%2e%2e',
  '-1',
  '1e999',
  '9'.repeat(400),
];
/** Anything but a text. */
const values = [-1, 1e300, true, [], ['x'], { $ne: null }, { length: 1, 0: 'x' }];

/** Where in JSON something stands that is no object. */
function* leavesOf(value: unknown, at: string[] = []): Generator<string[]> {
  if (typeof value !== 'object' || value === null) yield at;
  else for (const [name, inner] of Object.entries(value)) yield* leavesOf(inner, [...at, name]);
}

function withValue(body: object, [name = '', ...rest]: string[], value: unknown): object {
  const inner = (body as Record<string, object>)[name];
  const changed = rest.length === 0 ? value : withValue(inner ?? {}, rest, value);
  if (Array.isArray(body))
    return body.map((one: unknown, i) => (String(i) === name ? changed : one));
  return { ...body, [name]: changed };
}

const written = (method: string, path: string, fields: string[], body: string | Buffer = '') =>
  Buffer.concat([
    Buffer.from(
      [`${method} ${path} HTTP/1.1`, ...fields, 'Connection: close', '', ''].join('\r\n'),
    ),
    Buffer.from(body),
  ]);
const json = 'Content-Type: application/json';
const form = 'Content-Type: application/x-www-form-urlencoded';
const sized = (body: string | Buffer) => `Content-Length: ${Buffer.byteLength(body)}`;

/**
 * A request, and what is answered to it: one of these statuses, none for a connection that closes
 * unanswered.
 */
export type Shot = [name: string, bytes: Buffer, allowed: number[]];

const refusedOrTaken = [
  200, 201, 202, 204, 302, 400, 401, 403, 404, 405, 409, 412, 413, 421, 429, 431,
];

/** A password that is taken costs 70 ms of CPU time. */
const valuesAt = (at: string[]) =>
  /password/i.test(at.at(-1) ?? '')
    ? ['__proto__ a b c', 'a\0b'.repeat(4), '\ud800'.repeat(12)]
    : [...texts, ...values];

/** The path with another value of a field of its query. */
function withQuery(path: string, name: string, value: string): string {
  const [plain = '', query = ''] = path.split('?');
  const others = query.split('&').filter((field) => field && !field.startsWith(`${name}=`));
  return `${plain}?${[...others, `${name}=${value}`].join('&')}`;
}

const formOf = (body: object): string =>
  new URLSearchParams(
    Object.entries(body).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();

/** Each hostile text in each place of a body, a query and an address. */
export function hostileTexts({
  method,
  path,
  fields,
  body,
  isForm,
  query,
  more,
  pathWith,
}: Target): Shot[] {
  const [type, write] = isForm ? [form, formOf] : [json, JSON.stringify];
  const places = body ? [...leavesOf(body), ...more.map((name) => [name])] : [];
  const bodies = places.flatMap((at) =>
    valuesAt(at).map((value): Shot => {
      const text = write(withValue(body!, at, value));
      const bytes = written(method, path, [...fields, type, sized(text)], text);
      return [`${at.join('.')}: ${JSON.stringify(value).slice(0, 40)}`, bytes, refusedOrTaken];
    }),
  );
  const addresses = inAddresses.flatMap((text) => [
    ...query.map((name) => withQuery(path, name, text)),
    ...pathWith(text),
  ]);
  const typed = body ? [type, sized('{}')] : [];
  const asked = addresses.map((one): Shot => [
    one.slice(0, 200),
    written(method, one, [...fields, ...typed], body ? '{}' : ''),
    refusedOrTaken,
  ]);
  return [...bodies, ...asked];
}

/** The beginning of a request whose body never comes whole. */
export const unfinished = ({ method, path, fields }: Target): string =>
  [`${method} ${path} HTTP/1.1`, ...fields, json, 'Content-Length: 1000', '', '{'].join('\r\n');

/** Characters of a text in an address or a header field: Node takes 16 kB of all fields. */
const LONGEST_FIELD = 12_000;
/** Characters of a text of which no document says how long it may be. */
const UNKNOWN_LENGTH = 2_000;
/** Fields that the service, or a package of it, may read. */
const readFields = [
  'Accept-Language',
  'Accept-Encoding',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Modified-Since',
  'Last-Event-ID',
  'Mcp-Session-Id',
  'Prefer',
  'Range',
  'Referer',
  'Traceparent',
  'User-Agent',
  'X-Forwarded-For',
  'X-Request-Id',
];

/** A text of so many characters of an address: complete escapes of UTF-8. */
const inAddress = (unit: WorstUnit) =>
  encodeURIComponent(worstText(unit, LONGEST_FIELD / 9).toWellFormed())
    .replaceAll('%2F', '/')
    .slice(0, LONGEST_FIELD);

interface BodyPlace {
  body: object;
  at: string[];
}

/** The places of all bodies. Entries of one list are one place, and so are those of equal calls. */
function placesOf(bodies: object[], more: string[]): BodyPlace[] {
  const places = bodies.flatMap((body) =>
    [...leavesOf(body), ...more.map((name) => [name])].map((at) => ({ body, at })),
  );
  const callOf = (body: object) => (body as { params?: { name?: string } }).params?.name;
  const keyOf = ({ body, at }: BodyPlace) =>
    `${callOf(body)} ${at.map((name) => (/^\d+$/.test(name) ? '*' : name)).join('.')}`;
  return [...Map.groupBy(places, keyOf).values()].map(([first]) => first!);
}

/**
 * A route with a text at each place, as long as it may be there, in each body, field and address.
 */
export function worstTexts(target: Target, unit: WorstUnit): Shot[] {
  const { method, path, fields, bodies, schema, isForm, query, more, pathWith } = target;
  const [type, write] = isForm ? [form, formOf] : [json, JSON.stringify];
  const send = (name: string, body: object): Shot => {
    const bytes = write(body);
    const shot = written(method, path, [...fields, type, sized(bytes)], bytes);
    return [`${unit} in ${name}`, shot, refusedOrTaken];
  };
  const inBodies = placesOf(bodies, more).map(({ body, at }) => {
    const length = lengthAt(schema, at) ?? UNKNOWN_LENGTH;
    return send(at.join('.'), withValue(body, at, worstText(unit, length)));
  });
  const address = inAddress(unit);
  const manyParameters = unit === 'letters' ? [] : [withQuery(path, 'a', 'a&'.repeat(5_000))];
  const addresses = [
    ...query.map((name) => withQuery(path, name, address)),
    ...pathWith(address),
    ...manyParameters,
  ];
  const [body] = bodies;
  const typed = body ? [type, sized(write(body))] : [];
  const inAddresses = addresses.map((one): Shot => [
    `${unit} in ${one.slice(0, 60)}`,
    written(method, one, [...fields, ...typed], body ? write(body) : ''),
    refusedOrTaken,
  ]);
  const inField = worstText(unit, Math.floor(LONGEST_FIELD / readFields.length));
  const bytesOfField = Buffer.from(inField.replaceAll(/[\r\n\0]/g, ' ')).subarray(0, 700);
  const inFields: Shot = [
    `${unit} in fields`,
    written(
      method,
      path,
      [
        ...fields,
        ...readFields.map((name) => `${name}: ${bytesOfField.toString('latin1')}`),
        ...typed,
      ],
      body ? write(body) : '',
    ),
    refusedOrTaken,
  ];
  return [...inBodies, ...inAddresses, inFields];
}

/** A route with a text in one place that fills the body. */
export function fullBodies(target: Target, unit: WorstUnit): Shot[] {
  const { method, path, fields, bodies, isForm, more } = target;
  const [body] = bodies;
  if (!body || isForm) return [];
  const perUnit = Buffer.byteLength(JSON.stringify(worstText(unit, 1_000))) / 1_000;
  const length = Math.floor((limits.bodyBytes - 10_000) / perUnit);
  const [at] = [...leavesOf(body), ...more.map((name) => [name])];
  const text = JSON.stringify(withValue(body, at ?? ['x'], worstText(unit, length)));
  const bytes = written(method, path, [...fields, json, sized(text)], text);
  return [[`${unit} in all of the body`, bytes, refusedOrTaken]];
}

/** A route with a body of any JSON, of so many bytes. */
export function anyJson(
  { method, path, fields, body }: Target,
  name: string,
  size: number,
): Shot[] {
  if (!body) return [];
  const document = worstDocuments[name]!(size);
  const shot = written(method, path, [...fields, json, sized(document)], document);
  return [[`${name} of ${size} bytes`, shot, [...refusedOrTaken, 415]]];
}
