import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import Koa from 'koa';
import type { Patience } from '../../src/api/connections.ts';
import { listen, type Listening } from '../../src/api/server.ts';
import { raw, startApi } from '../helpers/api.ts';

describe('listen', () => {
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

  it('lets running requests end at close, tells them to close, and drops idle connections', async () => {
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

  it('cuts off what does not end within the grace', async () => {
    const { api, release, running } = await slowApi();
    const answer = raw(api.port, get).catch(() => '');
    await running;
    await api.close(50);
    expect(await answer).to.equal('');
    release();
  });

  describe('ends a connection', () => {
    const SIZE = 64 * 1024 ** 2;
    const PARTS = 128;
    const large = Buffer.alloc(SIZE);
    const patience = { stallMs: 400, bytesPerSecond: 1, everyMs: 20 };
    let server: Listening;
    /** Serves a large answer, or a stream that tells the time. */
    async function serve(options: Patience) {
      const app = new Koa();
      app.silent = true;
      app.use(async (ctx) => {
        if (ctx.path === '/late') await delay(options.stallMs * 1.5);
        if (ctx.path === '/never') await new Promise((_, reject) => ctx.req.once('close', reject));
        ctx.set('X-Long', 'x'.repeat(10_000));
        const bodies: Record<string, Buffer> = {
          '/large': large,
          '/part': large.subarray(0, SIZE / PARTS),
        };
        ctx.body =
          ctx.path === '/ticks'
            ? Readable.from(ticks(options.stallMs / 4))
            : (bodies[ctx.path] ?? 'small');
      });
      server = await listen(app, 0, { host: '127.0.0.1', patience: options });
    }
    async function* ticks(pause: number) {
      for (let n = 0; n < 8; n++) {
        yield ':\n';
        await delay(pause);
      }
    }
    afterEach(() => server.close(0));

    /** Asks for all at once: the second answer waits for the first one to be taken. */
    const ask = (...lines: string[]) => {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => undefined);
      const requests = lines.map(
        (line) => `${line.replace(/^\//, 'GET /')} HTTP/1.1\r\nHost: localhost\r\n`,
      );
      socket.write(`${requests.join('\r\n')}Connection: close\r\n\r\n`);
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
    const slowly = () => delay(patience.stallMs / 100);

    it('whose client takes nothing of its answer', async () => {
      await serve(patience);
      const socket = ask('/large');
      await once(socket, 'readable');
      await delay(patience.stallMs * 3);
      expect(await bytesOf(socket))
        .to.be.above(0)
        .and.below(SIZE);
    });

    it('whose client takes its answer too slowly', async () => {
      await serve({ ...patience, bytesPerSecond: SIZE * 10 });
      expect(await bytesOf(ask('/large'), slowly))
        .to.be.above(0)
        .and.below(SIZE);
    });

    const hidden: [string, string[], number][] = [
      ['by a stream', ['/large', '/ticks'], SIZE],
      ['by an answer that never comes', ['/large', '/never'], SIZE],
      ['by a second large one', ['/large', '/large'], SIZE],
      ['behind a small one', ['/small', '/large', '/ticks'], SIZE],
      ['in parts, each of which is taken in time', Array<string>(PARTS).fill('/part'), SIZE],
      ['in headers of what has no body', Array<string>(5_000).fill('HEAD /large'), 5_000 * 10_000],
    ];
    for (const [how, asked, bytes] of hidden)
      it(`whose client takes its answers too slowly, hidden ${how}`, async () => {
        await serve({ ...patience, bytesPerSecond: how.startsWith('in headers') ? 1 : SIZE * 10 });
        expect(await bytesOf(ask(...asked), slowly))
          .to.be.above(0)
          .and.below(bytes);
      });

    it('only for that: a steady client gets all that it asked for at once', async () => {
      const stallMs = 1_500;
      await serve({ ...patience, stallMs, bytesPerSecond: SIZE / 60 });
      const end = performance.now() + stallMs * 1.5;
      const pause = () => (performance.now() < end ? delay(10) : undefined);
      const bytes = await bytesOf(ask('/large', '/part', '/small'), pause);
      expect(bytes).to.be.above(SIZE + SIZE / PARTS + 5);
    });

    it('only for that: slow streams, late answers and steady clients get their end', async () => {
      await serve({ ...patience, stallMs: 1_500 });
      const sizes = await Promise.all([
        bytesOf(ask('/ticks')),
        bytesOf(ask('/late')),
        bytesOf(ask('/large'), () => delay(1)),
      ]);
      expect(sizes[0]).to.be.above(8 * 2);
      expect(sizes[1]).to.be.above(5);
      expect(sizes[2]).to.be.above(SIZE);
    });
  });

  it('fails with EADDRINUSE when the port is taken', async () => {
    const { api } = await slowApi();
    const error = await listen(new Koa(), api.port, { host: '127.0.0.1' }).catch(
      (error: NodeJS.ErrnoException) => error,
    );
    await api.close();
    expect(error).to.have.property('code', 'EADDRINUSE');
  });
});
