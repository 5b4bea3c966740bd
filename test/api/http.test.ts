import { expect } from 'chai';
import {
  bearer,
  keys,
  parseRaw,
  raw,
  type Reply,
  startApi,
  type TestApi,
  taskId,
} from '../helpers/api.ts';

const tasksPath = '/api/v1/agent/tasks';
const json = { ...bearer(keys.member), 'Content-Type': 'application/json' };

describe('the API over HTTP', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  const rawReply = async (head: string, body: string | Buffer = '') =>
    parseRaw(
      await raw(
        api.port,
        Buffer.concat([Buffer.from(`${head}\r\nConnection: close\r\n\r\n`), Buffer.from(body)]),
      ),
    );
  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    api.request('POST', tasksPath, { headers: { ...json, ...headers }, body });

  function expectError(reply: Reply, status: number, error: string | RegExp) {
    expect([reply.status, Object.keys(reply.json)]).to.deep.equal([status, ['error']]);
    expect(reply.headers.get('x-request-id')).to.match(/^[A-Za-z0-9._-]{1,128}$/);
    if (typeof error === 'string') expect(reply.json['error']).to.equal(error);
    else expect(reply.json['error']).to.match(error);
  }

  describe('routes', () => {
    for (const path of [
      '/api',
      '/api/v1/agent/tasks/',
      '/API/v1/agent/tasks',
      '/api/v1/agent/tasks/a/b',
      '/api/v2/agent/tasks',
    ])
      it(`answers Not found at ${path}`, async () =>
        expectError(await api.request('GET', path), 404, 'Not found'));

    for (const target of [
      '/%E0%A4%A',
      '//evil.example.com/',
      '/..%2f..%2fetc/passwd',
      '/a/../../b',
      '*',
      'http://localhost/nothing',
      '/\\..\\',
    ])
      it(`answers the target ${target} with JSON and no 5xx`, async () =>
        expectError(await rawReply(`GET ${target} HTTP/1.1\r\nHost: localhost`), 404, 'Not found'));

    for (const target of ['http://[bad/', 'evil', 'http://user:pw@localhost/'])
      it(`refuses the target ${target}`, async () =>
        expectError(
          await rawReply(`GET ${target} HTTP/1.1\r\nHost: localhost`),
          400,
          /^(Malformed request target|Bad Request)$/,
        ));

    for (const id of [
      '%',
      '%E0%A4%A',
      '%2e%2e',
      '..%2f..',
      `${taskId}%00`,
      `${taskId}'`,
      taskId.toUpperCase(),
      'bg-',
      'x'.repeat(5_000),
    ])
      it(`answers Task not found for the id ${id.slice(0, 40)}`, async () =>
        expectError(
          await rawReply(
            `GET ${tasksPath}/${id} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keys.member}`,
          ),
          404,
          'Task not found',
        ));
  });

  describe('authentication', () => {
    const cases = {
      'no key': {},
      'an unknown key': bearer('ak_nobody'),
      'another scheme': { Authorization: `Basic ${keys.member}` },
      'an empty token': { Authorization: 'Bearer ' },
      'two tokens': { Authorization: `Bearer ${keys.member} ${keys.member}` },
    };
    for (const [name, headers] of Object.entries(cases))
      it(`answers 401 for ${name}, at both endpoints and before the body is looked at`, async () => {
        for (const [method, path] of [
          ['POST', tasksPath],
          ['GET', `${tasksPath}/${taskId}`],
        ] as const) {
          const reply = await api.request(method, path, { headers });
          expectError(reply, 401, 'Unauthorized');
          expect(reply.headers.get('www-authenticate')).to.equal('Bearer');
        }
      });
  });

  describe('bodies', () => {
    const notJson = (why: string) => `The request body is not valid JSON: ${why}`;
    const broken: [string, string | Uint8Array<ArrayBuffer>, string][] = [
      ['empty', '', 'it cannot be parsed at line 1, column 1: value expected'],
      ['with single quotes', "{'a': 1}", 'it cannot be parsed at line 1, column 2: invalid symbol'],
      [
        'with a comment',
        '{} // no',
        'it cannot be parsed at line 1, column 4: invalid comment token',
      ],
      ['not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'it is not UTF-8'],
      [
        'with a name twice',
        '{"siteId":"a","site\\u0049d":"b"}',
        'an object contains the same name twice at line 1, column 15',
      ],
      [
        'with __proto__',
        '{"__proto__":{"publish":true}}',
        'it contains a forbidden name at line 1, column 2',
      ],
      [
        'nested a million deep',
        '['.repeat(900_000) + ']'.repeat(900_000),
        'it is nested too deeply at line 1, column 33',
      ],
      [
        'of a million values',
        `[${'1,'.repeat(900_000)}1]`,
        'it contains too many values at line 1, column 4003',
      ],
    ];
    for (const [name, body, why] of broken)
      it(`refuses JSON that is ${name}`, async () =>
        expectError(await post(body), 400, notJson(why)));

    for (const body of ['null', '[]', '"x"', '7'])
      it(`refuses ${body}, which is no object`, async () =>
        expectError(
          await post(body),
          400,
          /^Invalid request body: body (must be of type object|is required)/,
        ));

    for (const type of ['', 'text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'])
      it(`answers 415 for the media type "${type}"`, async () =>
        expectError(
          await post(new TextEncoder().encode('{}'), { 'Content-Type': type }),
          415,
          'Content-Type must be application/json',
        ));

    for (const charset of ['utf-16', 'iso-8859-1', 'x'.repeat(1_000)])
      it(`names the charset ${charset.slice(0, 20)} that it does not take`, async () =>
        expectError(
          await post('{}', { 'Content-Type': `application/json; charset=${charset}` }),
          415,
          `Content-Type must be application/json in UTF-8, not in ${charset.slice(0, 40)}`,
        ));

    it('answers 415 for a compressed body', async () => {
      const reply = await post('{}', { 'Content-Encoding': 'gzip' });
      expectError(reply, 415, 'Content-Encoding must not be used');
      expect(reply.headers.get('accept-encoding')).to.equal('identity');
    });

    it('accepts a charset of UTF-8, a BOM, and names written with escapes', async () => {
      const body = `\ufeff{"site\\u0049d":"${api.site.siteId}","prompt":"\\ud83d\\ude00"}`;
      for (const charset of ['"UTF-8"', 'utf8', 'UTF_8', 'unicode-1-1-utf-8']) {
        const reply = await post(body, { 'Content-Type': `Application/JSON; charset=${charset}` });
        expect(reply.status, charset).to.equal(200);
      }
    });

    it('takes a body of exactly 2,000,000 bytes, and answers 413 to one more', async () => {
      expectError(await post('x'.repeat(2_000_000)), 400, /\bJSON\b.*cannot be parsed/);
      expectError(await post('x'.repeat(2_000_001)), 413, /\b2000000 bytes\b/);
    });

    const head = `POST ${tasksPath} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keys.member}\r\nContent-Type: application/json\r\n`;
    it('answers 413 by the declared length alone, and closes the connection', async () => {
      const answer = await raw(api.port, `${head}Content-Length: 9000000000\r\n\r\n{`);
      expectError(parseRaw(answer), 413, /2000000 bytes/);
    });
  });

  describe('header fields', () => {
    it('returns a valid X-Request-Id unchanged, and replaces an invalid one', async () => {
      const given = async (id: string) =>
        (await api.request('GET', '/', { headers: { 'X-Request-Id': id } })).headers.get(
          'x-request-id',
        );
      expect(await given('trace_1.2-3')).to.equal('trace_1.2-3');
      for (const bad of ['', 'a b', 'x'.repeat(129), 'a"b'])
        expect(await given(bad)).to.match(/^[0-9a-f-]{36}$/);
    });

    it('forbids caching under /api, also for errors', async () => {
      for (const path of [tasksPath, `${tasksPath}/${taskId}`, '/api/nothing'])
        expect((await api.request('GET', path)).headers.get('cache-control')).to.equal('no-store');
      expect(
        (await api.create({ siteId: api.site.siteId, prompt: 'x' })).headers.get('cache-control'),
      ).to.equal('no-store');
    });

    it('answers malformed HTTP with JSON and a request ID', async () => {
      expectError(parseRaw(await raw(api.port, 'NONSENSE\r\n\r\n')), 400, 'Bad Request');
      expectError(
        parseRaw(
          await raw(api.port, `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
        ),
        431,
        'Request Header Fields Too Large',
      );
    });
  });

  describe('hosts', () => {
    for (const host of [
      'localhost',
      'LOCALHOST:3000',
      '127.0.0.1:1',
      '127.1.2.3',
      '[::1]:3000',
      'api.example.com',
      'api.example.com:443',
      'api.example.com.',
    ])
      it(`serves the API on ${host}`, async () =>
        expectError(await rawReply(`DELETE ${tasksPath} HTTP/1.1\r\nHost: ${host}`), 405, /./));

    for (const host of [
      'evil.example.com',
      'localhost.evil.com',
      '127.0.0.1.evil.com',
      'a.localhost',
      '10.0.0.1',
      'api.example.com.evil.com',
      'evil@localhost.com',
    ])
      it(`answers 421 on ${host}`, async () =>
        expectError(
          await rawReply(`GET ${tasksPath} HTTP/1.1\r\nHost: ${host}`),
          421,
          'Misdirected Request',
        ));

    it('refuses a request without a Host and one with two', async () => {
      expectError(await rawReply(`GET / HTTP/1.1`), 400, 'Exactly one Host header is required');
      expectError(
        await rawReply(`GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil`),
        400,
        'Exactly one Host header is required',
      );
    });

    it('lets sites answer for their own hosts first', async () => {
      const serveSites = async (
        ctx: { host: string; body: unknown; path: string },
        next: () => Promise<unknown>,
      ) => {
        if (ctx.host === 'demo.sites.localhost') ctx.body = `page ${ctx.path}`;
        else await next();
      };
      const other = await startApi({ serveSites });
      const page = parseRaw(
        await raw(
          other.port,
          'GET /healthz HTTP/1.1\r\nHost: demo.sites.localhost\r\nConnection: close\r\n\r\n',
        ),
      );
      await other.close();
      expect([page.status, page.text, page.headers.has('x-request-id')]).to.deep.equal([
        200,
        'page /healthz',
        true,
      ]);
    });
  });

  describe('health', () => {
    it('/healthz says ok, by IP address too', async () => {
      expect((await api.request('GET', '/healthz')).json).to.deep.equal({ status: 'ok' });
      expect((await rawReply('GET /healthz HTTP/1.1\r\nHost: 10.0.0.1:3000')).json).to.deep.equal({
        status: 'ok',
      });
      expect((await rawReply('GET /healthz HTTP/1.1\r\nHost: evil.example.com')).status).to.equal(
        421,
      );
    });

    it('/readyz names every part, 503 when one is not ready', async () => {
      expect((await api.request('GET', '/readyz')).json).to.deep.equal({
        status: 'ready',
        checks: { database: true, temporal: true },
      });
      const other = await startApi({
        readiness: () =>
          Promise.resolve({ database: true, temporal: 'no answer from 127.0.0.1:7233' }),
      });
      const { status, json } = await other.request('GET', '/readyz');
      await other.close();
      expect([status, json]).to.deep.equal([
        503,
        {
          status: 'unavailable',
          checks: { database: true, temporal: 'no answer from 127.0.0.1:7233' },
        },
      ]);
    });
  });
});
