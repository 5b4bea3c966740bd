import { expect } from 'chai';
import type { ServerResponse } from 'node:http';
import { AgentTasks, ApiError, ConnectionError } from '../../../client/src/index.ts';
import { json, type Script, type ScriptedServer, startScripted } from './scriptedServer.ts';

const created = { taskId: 'bg-9l00ic0rmn9rfdhuo4s2eo', status: 'running', createdAt: 'now' };
const body = { siteId: 's', prompt: 'Hi' };
const later = { 'Retry-After': '0' };

describe('requests of the client', () => {
  let server: ScriptedServer;
  const start = async (script: Script) => (server = await startScripted(script));
  afterEach(() => server.close());
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => expect.fail('It was answered'),
      (error: unknown) => error as ApiError,
    );

  it('carry the key, and the body as JSON, to the URL of the API', async () => {
    await start((response) => json(response, 200, created));
    const endings = ['', '/', '//', '/api/v1', '/api/v1/', '?a=b'];
    for (const baseUrl of endings.map((ending) => server.baseUrl + ending))
      expect(await server.client({ baseUrl }).tasks.create(body)).to.deep.equal(created);
    for (const { method, path, headers, body: sent } of server.asked) {
      expect([method, path]).to.deep.equal(['POST', '/api/v1/agent/tasks']);
      expect(headers).to.include({
        authorization: 'Bearer ats_key',
        'content-type': 'application/json',
      });
      expect(JSON.parse(sent)).to.deep.equal(body);
    }
  });

  for (const status of [408, 429, 502, 503, 504])
    it(`are sent again after ${status}, under the key of the first try`, async () => {
      await start((response, n) =>
        n < 2 ? json(response, status, { error: 'x' }, later) : json(response, 200, created),
      );
      expect(await server.client().tasks.create(body)).to.deep.equal(created);
      const keys = new Set(server.asked.map(({ headers }) => headers['idempotency-key']));
      expect([server.asked.length, keys.size]).to.deep.equal([3, 1]);
      expect([...keys][0]).to.match(/^[\w-]{20,}$/);
    });

  it('with a key are sent again while the service restarts, after all usual tries', async () => {
    const settings = { maxRetries: 1 };
    await start((response, n) =>
      n < 2 ? json(response, 503, {}, later) : json(response, 200, created),
    );
    expect(await server.client(settings).tasks.create(body)).to.deep.equal(created);
    const keys = new Set(server.asked.map(({ headers }) => headers['idempotency-key']));
    expect([server.asked.length, keys.size]).to.deep.equal([3, 1]);
    await server.close();

    await start((response) => json(response, 503, {}, later));
    await failure(server.client({ ...settings, restartMs: 0 }).tasks.create(body));
    expect(server.asked, 'within 0 ms').to.have.length(2);
    await failure(server.client(settings).tasks.get('bg-1'));
    expect(server.asked, 'without a key').to.have.length(4);
  });

  it('are sent again after a failed start, and after no other 500', async () => {
    const field = { 'Agent-Tasks-Error': 'START_FAILED', ...later };
    await start((response, n) =>
      n < 1 ? json(response, 500, { error: 'x' }, field) : json(response, 500, { error: 'y' }),
    );
    const error = await failure(server.client().tasks.create(body));
    expect([error.message, server.asked.length]).to.deep.equal(['y', 2]);
  });

  it('are sent again under the same key if the answer is cut or not JSON', async () => {
    await start((response, n) => {
      if (n === 0) response.writeHead(200, { 'Content-Length': 100 }).write('{"taskId":');
      if (n === 0) setImmediate(() => response.destroy());
      else if (n === 1) response.writeHead(200).end('<h1>Hi</h1>');
      else json(response, 200, created);
    });
    expect(await server.client().tasks.create(body)).to.deep.equal(created);
    const keys = new Set(server.asked.map(({ headers }) => headers['idempotency-key']));
    expect([server.asked.length, keys.size]).to.deep.equal([3, 1]);
  });

  it('go to a path on the server of the page, without a key if that server adds it', async () => {
    await start((response) => json(response, 200, created));
    const page = globalThis as { location?: { origin: string } };
    page.location = { origin: server.baseUrl };
    try {
      await new AgentTasks({ baseUrl: '/svc/api/v1' }).tasks.create(body);
    } finally {
      delete page.location;
    }
    const [{ path, headers }] = server.asked as [(typeof server.asked)[0]];
    expect(path).to.equal('/svc/api/v1/agent/tasks');
    expect(headers).to.not.have.property('authorization');
  });

  it('follow no redirect, because a POST would become a GET', async () => {
    await start((response) => response.writeHead(301, { Location: '/elsewhere' }).end());
    const error = await failure(server.client().tasks.create(body));
    expect(error.message).to.match(/^127\.0\.0\.1:\d+ redirects/);
    expect(server.asked).to.have.length(1);
  });

  for (const id of ['.', '..', ''])
    it(`are not sent for the ID "${id}", which would lead to another path`, async () => {
      await start((response) => json(response, 200, created));
      const { tasks, batches } = server.client();
      const calls: (() => Promise<unknown>)[] = [
        () => tasks.get(id),
        () => tasks.publish(id),
        () => tasks.cancel(id),
        () => batches.get(id),
      ];
      for (const call of calls)
        expect((await failure(Promise.resolve().then(call))).message).to.match(/\bid$/);
      expect(server.asked).to.deep.equal([]);
    });

  it('are not sent with an empty key or one with two lines, which no message shows', async () => {
    await start((response) => json(response, 200, created));
    for (const apiKey of ['ak_a\nak_b', ''])
      expect(() => server.client({ apiKey }), apiKey).to.throw(
        /^apiKey must be one line of visible ASCII characters$/,
      );
  });

  it('are not sent again if that would repeat the work or would not help', async () => {
    await start((response, _, { path }) =>
      json(response, path.endsWith('/cancel') ? 503 : 400, { error: 'x' }, later),
    );
    const { tasks } = server.client();
    expect(await failure(tasks.cancel('bg-1'))).to.be.instanceOf(ApiError);
    expect(await failure(tasks.create(body))).to.be.instanceOf(ApiError);
    expect(server.asked).to.have.length(2);
  });

  it('report the problem with code, reason and the name in the log', async () => {
    await start((response) =>
      json(
        response,
        400,
        { error: 'Invalid callbackUrl' },
        {
          'Agent-Tasks-Error': 'INVALID_CALLBACK_URL;reason="its \\"host\\" is private"',
          'X-Request-Id': 'r-1',
        },
      ),
    );
    const call = server.client().tasks.create(body, { idempotencyKey: 'order-1047' });
    const error = await failure(call);
    expect({ ...error }).to.deep.equal({
      name: 'ApiError',
      idempotencyKey: 'order-1047',
      status: 400,
      code: 'INVALID_CALLBACK_URL',
      reason: 'its "host" is private',
      requestId: 'r-1',
      retryAfterMs: undefined,
    });
    expect(error.message).to.equal('Invalid callbackUrl');
  });

  it('are given up and sent again under the same key if no whole answer arrives in time', async () => {
    for (const hang of [
      () => undefined,
      (response: ServerResponse) => void response.writeHead(200).write('{'),
    ]) {
      await start((response, n) => (n < 2 ? hang(response) : json(response, 200, created)));
      const { tasks } = server.client({ timeoutMs: 1_000 });
      expect(await tasks.create(body)).to.deep.equal(created);
      const keys = new Set(server.asked.map(({ headers }) => headers['idempotency-key']));
      expect([server.asked.length, keys.size]).to.deep.equal([3, 1]);
      await server.close();
    }
    await start(() => undefined);
    const error = await failure(
      server.client({ timeoutMs: 1_000, maxRetries: 0 }).tasks.create(body),
    );
    expect(error).to.be.instanceOf(ConnectionError);
    expect(error.message).to.match(/ 127\.0\.0\.1:\d+ .*\b1000 ms$/);
    expect(error.idempotencyKey).to.equal(server.asked[0]!.headers['idempotency-key']);
  });
});
