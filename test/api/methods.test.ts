import { expect } from 'chai';
import { Agent, METHODS, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { healthRoutes } from '../../src/api/routes/health.ts';
import { raw, startApi, type TestApi, taskId } from '../helpers/api.ts';

interface Answer {
  status: number;
  allow: string[];
  body: unknown;
}

/** CONNECT has no path. */
const methods = METHODS.filter((method) => method !== 'CONNECT');
const usual = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE'];
/**
 * Nothing tells these apart: each path is asked for some of them, and each of them at some paths.
 */
const rare = methods.filter((method) => method !== 'OPTIONS' && !usual.includes(method));
const RARE_AT_A_PATH = 2;
const methodsAt = (index: number) => [
  ...usual,
  ...Array.from(
    { length: RARE_AT_A_PATH },
    (_, n) => rare[(index * RARE_AT_A_PATH + n) % rare.length]!,
  ),
];

describe('HTTP methods', () => {
  const agent = new Agent({ keepAlive: true });
  let api: TestApi;
  let routes: { path: string; methods: string[] }[];
  before(async () => {
    api = await startApi();
    const all = [...api.routes, ...healthRoutes(() => Promise.resolve({})).stack];
    routes = all.map(({ path, methods }) => ({ path: String(path), methods }));
  });
  after(async () => {
    agent.destroy();
    expect(api.started).to.be.empty;
    await api.close();
  });

  /** Sends it without a key. */
  function send(method: string, path: string, host = 'localhost'): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(
        { agent, host: '127.0.0.1', port: api.port, method, path, headers: { host } },
        (reply) => {
          const { statusCode: status = 0, headers } = reply;
          const allow = headers.allow?.split(', ').sort() ?? [];
          const isEmpty = method === 'HEAD' || headers['content-length'] === '0';
          (isEmpty ? Promise.resolve(reply.resume()).then(() => undefined) : json(reply)).then(
            (body) => resolve({ status, allow, body }),
            reject,
          );
        },
      );
      sent.on('error', reject).end();
    });
  }

  /**
   * A path that the route has, and the methods of all routes that have it: of those with the fewest
   * parameters.
   */
  function meant(route: string): { path: string; allow: string[] } {
    const path = route.replace(/\{.*\}/g, '').replace(/:\w+/g, taskId);
    const found = routes.filter((other) => {
      const pattern = other.path.replace(/:\w+/g, '[^/]+').replace(/\{.*\}/, '(/.*)?');
      return new RegExp(`^${pattern}$`).test(path);
    });
    const parametersIn = (other: { path: string }) => other.path.split(':').length;
    const fewest = Math.min(...found.map(parametersIn));
    const matching = found.filter((other) => parametersIn(other) === fewest);
    return { path, allow: [...new Set(matching.flatMap(({ methods }) => methods))].sort() };
  }
  const refused = (method: string, allow: string[]): Answer => ({
    status: 405,
    allow,
    body: method === 'HEAD' ? undefined : { error: 'Method Not Allowed' },
  });

  it('without a route for the path are answered with 405 and Allow before the key is checked', async () => {
    expect(routes).to.have.length.above(rare.length / RARE_AT_A_PATH);
    for (const [index, route] of routes.entries()) {
      const { path, allow } = meant(route.path);
      for (const method of methodsAt(index).filter((method) => !allow.includes(method)))
        expect(await send(method, path), `${method} ${path}`).to.deep.equal(refused(method, allow));
    }
  });

  it('OPTIONS is answered with Allow on every path', async () => {
    for (const route of routes) {
      const { path, allow } = meant(route.path);
      expect(await send('OPTIONS', path), path).to.deep.equal({
        status: 200,
        allow,
        body: undefined,
      });
    }
  });

  for (const path of [
    '/api/v1/agent/tasks/check',
    '/api/v1/sites/check',
    `/api/v1/agent/tasks/${taskId}/notes/drop`,
  ])
    it(`other than POST do not treat ${path} as the ID of a task, a site or a note`, async () => {
      for (const method of ['GET', 'HEAD', 'PATCH', 'DELETE'])
        expect(await send(method, path), method).to.deep.equal(refused(method, ['POST']));
    });

  for (const target of ['localhost:22', 'localhost:80', '/healthz'])
    it(`CONNECT ${target} opens no tunnel`, async () => {
      const next = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
      const answer = await raw(
        api.port,
        `CONNECT ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n${next}`,
      );
      expect(answer).to.match(/^(HTTP\/1\.1 400 [\s\S]*)?$/);
    });
});
