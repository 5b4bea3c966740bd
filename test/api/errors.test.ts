import { expect } from 'chai';
import { type DisplayString, parseItem, Token } from 'structured-headers';
import { checkCallbackUrl } from '../../src/callbacks/callbackPolicy.ts';
import { roleTooLowMessage } from '../../src/contract/roles.ts';
import { DomainError } from '../../src/errors.ts';
import {
  bearer,
  failingTasks,
  keys,
  type Reply,
  startApi,
  type TestApi,
  taskId,
} from '../helpers/api.ts';

const tasksPath = '/api/v1/agent/tasks';
const PUBLIC = '93.184.215.14';

/** The code and the reason of an answer's `Agent-Tasks-Error`. */
function saidBy({ headers }: Pick<Reply, 'headers'>): [code: string, reason: string | undefined] {
  const [code, parameters] = parseItem(headers.get('agent-tasks-error') ?? '');
  expect(code).to.be.instanceOf(Token);
  return [String(code), reasonOf(parameters)];
}

const reasonOf = (parameters: Map<string, unknown>) =>
  (parameters.get('reason') as string | DisplayString | undefined)?.toString();

describe('Agent-Tasks-Error', () => {
  let api: TestApi;
  let other: TestApi; // for many keys that nobody has, which are counted
  before(async () => {
    other = await startApi();
    const resolve = (name: string) =>
      Promise.resolve([PUBLIC, ...(name === 'rebound.example' ? ['10.0.0.7'] : [])]);
    const policy = { allowPrivate: false, ownHosts: ['api.example.com'], resolve };
    api = await startApi({ checkCallbackUrl: (url) => checkCallbackUrl(url, policy) });
  });
  after(() => Promise.all([api.close(), other.close()]));

  const create = (fields: object) =>
    api.create({ siteId: api.site.siteId, prompt: 'x', ...fields });

  describe('for a rejected callback URL', () => {
    const refused: Record<string, string> = {
      'https://10.1.2.3/': 'its host is a private IP address',
      'https://192.168.1.1:8443/hook?a=b': 'its host is a private IP address',
      'https://[fd00::7]/': 'its host is a private IP address',
      'https://0x7f.1/': 'its host is a loopback IP address',
      'https://[::ffff:127.0.0.1]/': 'its host is a loopback IP address',
      'https://169.254.169.254/': 'its host is a link-local IP address',
      'https://203.0.113.9/': 'its host is an IP address that is not public',
      'https://localhost/': 'its host is internal',
      'https://db.internal/': 'its host is internal',
      'https://api.example.com/': 'its host is a host of this service',
      'https://rebound.example/': 'its host has an IP address that is not public',
      'http://hooks.example/': 'it does not use https',
      'https://a:b@hooks.example/': 'it contains credentials',
      nonsense: 'it is not a URL',
      [`https://hooks.example/${'x'.repeat(2_100)}`]: 'Callback URL is longer than 2048 characters',
    };
    for (const [callbackUrl, reason] of Object.entries(refused))
      it(`gives the reason ${reason}: ${callbackUrl.slice(0, 60)}`, async () => {
        const reply = await create({ callbackUrl });
        expect([reply.status, reply.json]).to.deep.equal([400, { error: 'Invalid callback URL' }]);
        expect(saidBy(reply)).to.deep.equal(['INVALID_CALLBACK_URL', reason]);
        expect(JSON.stringify([...reply.headers])).to.not.match(/10\.0\.0\.7|93\.184/);
      });
  });

  describe('for a rejected key', () => {
    const cases: Record<string, [headers: Record<string, string>, reason: string]> = {
      'none at all': [{}, 'the request has no Authorization header'],
      'another scheme': [
        { Authorization: 'Basic abc' },
        'the Authorization header does not have the form "Bearer <API key>"',
      ],
      'an empty one': [
        { Authorization: 'Bearer ' },
        'the Authorization header does not have the form "Bearer <API key>"',
      ],
      'one that nobody has': [bearer('ak_nobody'), 'the API key is unknown, revoked or expired'],
    };
    for (const [name, [headers, reason]] of Object.entries(cases))
      it(`gives the reason: ${name}`, async () => {
        const reply = await api.request('GET', `${tasksPath}/${taskId}`, { headers });
        expect([reply.status, reply.json]).to.deep.equal([401, { error: 'Unauthorized' }]);
        expect(saidBy(reply)).to.deep.equal(['UNAUTHORIZED', reason]);
      });

    it('names the owner of a key whose role is too low, in the body', async () => {
      const reply = await api.request('GET', '/api/v1/audit', { headers: bearer(keys.member) });
      expect([reply.status, reply.json]).to.deep.equal([
        403,
        { error: roleTooLowMessage('member', 'admin') },
      ]);
      expect(saidBy(reply)).to.deep.equal(['FORBIDDEN', undefined]);
    });
  });

  it('is in every error of every route, and the OpenAPI document requires it for all responses of the tests', async () => {
    for (const { path, methods } of other.routes)
      for (const method of methods)
        for (const headers of [{}, bearer('ak_nobody'), bearer(keys.viewer)]) {
          const address = String(path).replace(/\{.*/, '').replaceAll(/:\w+/g, 'x');
          const reply = await other.request(method, address, { headers });
          if (reply.status >= 400)
            expect(saidBy(reply)[0], `${method} ${address}`).to.match(/^[A-Z_]+$/);
          else
            expect(reply.headers.has('agent-tasks-error'), `${method} ${address}`).to.equal(false);
        }
  });

  it('names what could not be reached, and nothing about unexpected errors', async () => {
    const failures: [Error, [string, string | undefined]][] = [
      [
        new DomainError('UNAVAILABLE', 'at 10.0.0.7', { reason: 'Temporal did not answer' }),
        ['UNAVAILABLE', 'Temporal did not answer'],
      ],
      [new DomainError('UNAVAILABLE', 'at 10.0.0.7'), ['UNAVAILABLE', undefined]],
      [new DomainError('GIT_FAILED', 'fatal: at git.internal'), ['GIT_FAILED', undefined]],
      [new Error('password=x'), ['INTERNAL_SERVER_ERROR', undefined]],
    ];
    for (const [error, said] of failures) {
      const other = await startApi({ tasks: failingTasks(error) });
      const reply = await other.request('GET', `${tasksPath}/${taskId}`, {
        headers: bearer(keys.member),
      });
      await other.close();
      expect(saidBy(reply)).to.deep.equal(said);
    }
  });
});

describe('a path without a route', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

  for (const path of [
    '/nope',
    '/sign-in/',
    '/console/x.js',
    '/docs/nothing',
    '/<script>alert(1)</script>',
  ])
    it(`answers with an HTML page in a browser: ${path}`, async () => {
      const { status, headers, text } = await api.request('GET', path, { headers: browser });
      expect([status, headers.get('content-type')]).to.deep.equal([
        404,
        'text/html; charset=utf-8',
      ]);
      expect(text)
        .to.include('<h1>Page not found</h1>')
        .and.include('href="/"')
        .and.include('href="/docs"');
      expect(text)
        .to.include(headers.get('x-request-id')!)
        .and.not.match(/<script|\son\w+=|alert/);
      expect(headers.get('content-security-policy')).to.match(
        /^default-src 'none'; style-src 'sha256-[^']+'; /,
      );
      expect([headers.get('vary'), headers.get('agent-tasks-error')?.split(';')[0]]).to.deep.equal([
        'Accept-Encoding, Accept',
        'NOT_FOUND',
      ]);
    });

  it('answers without a body to HEAD', async () => {
    const { status, headers, text } = await api.request('HEAD', '/nope', { headers: browser });
    expect([status, headers.get('content-type'), text]).to.deep.equal([
      404,
      'text/html; charset=utf-8',
      '',
    ]);
  });

  for (const [name, path, accept] of [
    ['to programs', '/nope', '*/*'],
    ['to those that ask for it', '/nope', 'application/json, text/html;q=0.9'],
    ['under /api in a browser too', '/api/v1/nope', browser.accept],
  ] as const)
    it(`answers with JSON ${name}`, async () => {
      const { status, headers, json } = await api.request('GET', path, { headers: { accept } });
      expect([status, headers.get('content-type'), json]).to.deep.equal([
        404,
        'application/json; charset=utf-8',
        { error: 'Not found' },
      ]);
    });
});
