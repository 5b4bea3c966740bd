import { type Attack, create, get, post, read, request, tasks } from './attack.ts';

const authorization = (value: string) => () => get(`${tasks}`, `Authorization: ${value}`);
const valid = JSON.stringify({ siteId: '00000000-0000-4000-8000-000000000000', prompt: 'x' });
const typed = (type: string) =>
  post([`Content-Type: ${type}`, `Content-Length: ${valid.length}`], valid);

/** Header fields. */
export const headers: Attack[] = [
  ...[
    'Bearer',
    'Bearer ',
    'Bearer ak_',
    'bearer null',
    'Basic YTpi',
    `Bearer ${'a'.repeat(10_000)}`,
    'Bearer a b',
    'Bearer \u00e9',
    "Bearer ' OR 1=1",
    'Bearer ak_%00',
    'Digest x',
  ].map((value): Attack => [`Authorization: ${value.slice(0, 20)}`, authorization(value), 401]),
  [
    'two keys, the right one first',
    ({ key }) => get(tasks, `Authorization: ${key}`, 'Authorization: Bearer x'),
    200,
  ],
  [
    'two keys, the right one last',
    ({ key }) => get(tasks, 'Authorization: Bearer x', `Authorization: ${key}`),
    401,
  ],
  ['the key in the query', ({ key }) => get(`${tasks}?access_token=${key.slice(7)}`), 401],
  [
    'the key in a cookie',
    ({ key }) =>
      get(tasks, `Cookie: Authorization=${encodeURIComponent(key)}; key=${key.slice(7)}`),
    401,
  ],

  ...['', ' ', 'two words', 'x'.repeat(256), '\u00e9', 'a, b\tc'].map((key): Attack => [
    `Idempotency-Key: ${JSON.stringify(key).slice(0, 20)}`,
    create(({ siteId }) => JSON.stringify({ siteId, prompt: 'x' }), `Idempotency-Key: ${key}`),
    400,
  ]),
  [
    'two Idempotency-Keys',
    create(
      ({ siteId }) => JSON.stringify({ siteId, prompt: 'x' }),
      'Idempotency-Key: a',
      'Idempotency-Key: b',
    ),
    400,
  ],

  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'application/json+xml',
    'application/json; charset=utf-16',
    'application/json; charset=utf-7',
    'application/json, text/plain',
    'application',
    '/',
    `application/json; ${'a=b; '.repeat(2_000)}charset=latin1`,
    '',
  ].map((type): Attack => [`Content-Type: ${type.slice(0, 40)}`, typed(type), 415]),
  ['no Content-Type', post([`Content-Length: ${valid.length}`], valid), 415],
  [
    'two Content-Types',
    post(
      [
        'Content-Type: text/plain',
        'Content-Type: application/json',
        `Content-Length: ${valid.length}`,
      ],
      valid,
    ),
    415,
  ],
  ...['gzip', 'deflate', 'br', 'zstd', 'identity, gzip', 'x'].map((coding): Attack => [
    `Content-Encoding: ${coding}`,
    create(valid, `Content-Encoding: ${coding}`),
    415,
  ]),
  ...['text/html', 'image/*', 'x', '*/*;q=0', 'a/b,'.repeat(2_000)].map((accept): Attack => [
    `Accept: ${accept.slice(0, 20)}`,
    read(() => tasks, `Accept: ${accept}`),
    200,
  ]),
  ...['a b', 'x'.repeat(200), '<script>', '"}{"level":"error"', '\u00e9', '../../x'].map(
    (id): Attack => [
      `X-Request-Id: ${id.slice(0, 20)}`,
      () => get('/healthz', `X-Request-Id: ${id}`),
      200,
    ],
  ),
  [
    'an origin of somebody else',
    ({ key }) =>
      request('OPTIONS', tasks, [
        'Host: localhost',
        'Origin: https://evil.example.com',
        'Access-Control-Request-Method: POST',
        `Authorization: ${key}`,
      ]),
    200,
  ],
  [
    'a forwarded address',
    () =>
      get(tasks, 'X-Forwarded-For: 127.0.0.1', 'X-Real-IP: 127.0.0.1', 'Authorization: Bearer x'),
    401,
  ],
  [
    'an editor session of 100 KB, without any key',
    ({ taskId }) => {
      const fields = [
        'Host: localhost',
        'Origin: http://localhost',
        'Content-Type: application/json',
      ];
      const body = '['.repeat(100_000);
      return request(
        'POST',
        `/edit/${taskId}/.session`,
        [...fields, `Content-Length: ${body.length}`],
        body,
      );
    },
    413,
  ],
];
