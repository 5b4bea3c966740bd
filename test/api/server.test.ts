import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import Koa from 'koa';
import { serveApp, type RunningServer } from '../../src/api/server.ts';
import { raw, startApi } from '../helpers/api.ts';

describe('serveApp(server)', () => {
  async function slowApi() {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    let entered = () => {};
    const running = new Promise<void>((resolve) => (entered = resolve));
    const readiness = async () => {
      entered();
      await released;
      return {};
    };
    return { api: await startApi({ readiness }), release, running };
  }
  const get = 'GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n';

  it('lets running requests finish when it closes, tells them to close, and drops idle connections', async () => {
    const { api, release, running } = await slowApi();
    const idle = connect(api.port, '127.0.0.1');
    await once(idle, 'connect');
    const answer = raw(api.port, get);
    await running;
    const closed = api.close(10_000);
    await once(idle.resume(), 'close');
    release();
    expect(await answer).to.match(
      /^HTTP\/1.1 200 OK[\s\S]*connection: close[\s\S]*{"status":"ready","checks":{}}$/i,
    );
    await closed;
  });

  it('cuts off requests that do not finish within the grace period', async () => {
    const { api, release, running } = await slowApi();
    const answer = raw(api.port, get).catch(() => '');
    await running;
    await api.close(50);
    expect(await answer).to.equal('');
    release();
  });

  describe('ends a connection', () => {
    const SIZE = 64 * 1024 ** 2;
    const large = Buffer.alloc(SIZE);
    const STALL_MS = 400;
    let server: RunningServer;
    /** Serves a large answer, or a stream that tells the time. */
    async function serve(stallMs: number) {
      const app = new Koa();
      app.silent = true;
      app.use(async (ctx) => {
        if (ctx.path === '/late') await delay(stallMs * 1.5);
        ctx.body =
          ctx.path === '/ticks'
            ? Readable.from(ticks(stallMs / 4))
            : ctx.path === '/large'
              ? large
              : 'small';
      });
      server = await serveApp(app, 0, { host: '127.0.0.1', stallMs });
    }
    async function* ticks(pause: number) {
      for (let n = 0; n < 8; n++) {
        yield ':\n';
        await delay(pause);
      }
    }
    afterEach(() => server.close(0));

    const ask = (path: string) => {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
      return socket;
    };
    /** A connection that the server ends while requests are unread may end in a reset. */
    async function bytesOf(
      socket: Socket,
      pause: () => Promise<unknown> | undefined = () => undefined,
    ) {
      let bytes = 0;
      try {
        for await (const chunk of socket) {
          bytes += (chunk as Buffer).length;
          await pause();
        }
      } catch (error) {
        expect(error).to.include({ code: 'ECONNRESET' });
      }
      return bytes;
    }

    it('whose client does not read its answer', async () => {
      await serve(STALL_MS);
      const socket = ask('/large');
      await once(socket, 'readable');
      await delay(STALL_MS * 3);
      expect(await bytesOf(socket))
        .to.be.above(0)
        .and.below(SIZE);
    });

    it('only of such clients: slow streams, late answers and steady clients finish', async () => {
      await serve(4_000);
      const sizes = await Promise.all([
        bytesOf(ask('/ticks')),
        bytesOf(ask('/late')),
        bytesOf(ask('/large'), () => delay(1)),
      ]);
      expect(sizes[0]).to.be.above(8 * 2);
      expect(sizes[1]).to.be.above(5);
      expect(sizes[2]).to.be.above(SIZE);
    });

    it('without an effect on other clients beside 200 clients that read nothing', async () => {
      await serve(60_000);
      const slow = Array.from({ length: 200 }, () => ask('/large'));
      await Promise.all(slow.map((socket) => once(socket, 'readable')));
      for (let n = 0; n < 20; n++) expect(await bytesOf(ask('/small'))).to.be.above(5);
      expect(slow.filter(({ destroyed }) => destroyed)).to.deep.equal([]);
      for (const socket of slow) socket.destroy();
    });
  });

  it('fails with EADDRINUSE when the port is taken', async () => {
    const { api } = await slowApi();
    const error = await serveApp(new Koa(), api.port, { host: '127.0.0.1' }).catch(
      (error: NodeJS.ErrnoException) => error,
    );
    await api.close();
    expect(error).to.have.property('code', 'EADDRINUSE');
  });
});
