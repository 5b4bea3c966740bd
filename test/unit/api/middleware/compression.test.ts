import { expect } from 'chai';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Koa from 'koa';
import type { ApiMiddleware, ApiState } from '../../../../src/api/context.ts';
import { allowCompression, compression } from '../../../../src/api/middleware/compression.ts';
import { until } from '../../../helpers/until.ts';

const text = 'Prices that fit on one page. '.repeat(100);
const decoders = { br: brotliDecompressSync, gzip: gunzipSync };

const routes: Record<string, ApiMiddleware> = {
  '/page': (ctx) => {
    ctx.set('ETag', '"a"');
    ctx.body = text;
  },
  '/short': (ctx) => void (ctx.body = text.slice(0, 1_000)),
  '/json': (ctx) => void (ctx.body = { text }),
  '/large': (ctx) => {
    ctx.type = 'html';
    ctx.body = Buffer.alloc(1_000_000, text);
  },
  '/picture': (ctx) => {
    ctx.type = 'png';
    ctx.body = Buffer.from(text);
  },
  '/events': (ctx) => {
    ctx.type = 'text/event-stream';
    ctx.body = text;
  },
  '/part': (ctx) => {
    ctx.set({ ETag: '"a"', 'Content-Range': 'bytes 0-1999/2900' });
    ctx.status = 206;
    ctx.body = text.slice(0, 2_000);
  },
  '/unchanged': (ctx) => {
    ctx.set('ETag', '"a"');
    ctx.status = 304;
  },
  '/held': (ctx) => {
    ctx.type = 'html';
    const held = new Readable({ read: () => undefined });
    held.push(randomBytes(40_000).toString('hex'));
    ctx.body = held;
  },
  '/prepared': (ctx) => {
    ctx.set({ 'Content-Encoding': 'gzip', ETag: '"a-gzip"' });
    ctx.body = Buffer.alloc(2_000);
  },
};

describe('compression', () => {
  let close: () => void;
  let port: number;
  before(async () => {
    const app = new Koa<ApiState>();
    app.silent = true;
    const allow = allowCompression();
    app.use(compression());
    app.use(async (ctx, next) => {
      await (ctx.path.startsWith('/secret') ? next() : allow(ctx, next));
    });
    app.use(async (ctx, next) => {
      await routes[ctx.path.replace('/secret', '')]!(ctx, next);
    });
    const server = app.listen(0, '127.0.0.1');
    close = () => void server.close();
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });
  after(() => close());

  async function ask(
    path: string,
    { method = 'GET', ...headers }: Record<string, string> & { method?: string } = {},
  ) {
    const fields = { 'Accept-Encoding': 'br, gzip', ...headers };
    const sent = request({ port, host: '127.0.0.1', path, method, headers: fields, agent: false });
    const [answer] = (await once(sent.end(), 'response')) as [IncomingMessage];
    return { headers: answer.headers, bytes: await buffer(answer) };
  }
  const encodingOf = async (...asked: Parameters<typeof ask>) =>
    (await ask(...asked)).headers['content-encoding'];

  for (const [accepted, encoding] of [
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['zstd, gzip;q=0.5', 'gzip'],
  ] as const)
    it(`sends ${encoding} to a client that accepts ${accepted}`, async () => {
      const { headers, bytes } = await ask('/page', { 'Accept-Encoding': accepted });
      expect(headers).to.include({ 'content-encoding': encoding, vary: 'Accept-Encoding' });
      expect(headers).to.not.have.property('content-length');
      expect(bytes.length).to.be.below(text.length / 4);
      expect(String(decoders[encoding](bytes))).to.equal(text);
    });

  it('compresses JSON, and large files by gzip', async () => {
    const { headers, bytes } = await ask('/json');
    expect(headers['content-encoding']).to.equal('br');
    expect(JSON.parse(String(brotliDecompressSync(bytes)))).to.deep.equal({ text });
    const large = await ask('/large');
    expect(large.headers['content-encoding']).to.equal('gzip');
    expect(gunzipSync(large.bytes)).to.have.length(1_000_000);
  });

  for (const accepted of ['identity', 'deflate', 'zstd', 'br;q=0, gzip;q=0'])
    it(`sends the answer as it is to a client that accepts ${accepted}`, async () => {
      const { headers, bytes } = await ask('/page', { 'Accept-Encoding': accepted });
      expect(headers).to.include({ vary: 'Accept-Encoding', etag: '"a"' });
      expect(headers).to.not.have.property('content-encoding');
      expect(String(bytes)).to.equal(text);
    });

  for (const path of ['/short', '/picture', '/events', '/part', '/secret/page', '/secret/json'])
    it(`sends ${path} as it is`, async () => expect(await encodingOf(path)).to.equal(undefined));

  for (const method of ['POST', 'HEAD', 'PATCH'])
    it(`sends answers to ${method} as they are`, async () =>
      expect(await encodingOf('/page', { method })).to.equal(undefined));

  it('makes the tag of a compressed answer weak, and repeats the tag if nothing changed', async () => {
    const tagOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).headers.etag;
    expect(await tagOf('/page')).to.equal('W/"a"');
    expect(await tagOf('/part')).to.equal('"a"');
    expect(await tagOf('/unchanged', { 'If-None-Match': 'W/"a"' })).to.equal('W/"a"');
    expect(await tagOf('/unchanged', { 'If-None-Match': '"a"' })).to.equal('"a"');
  });

  it('compresses at most 200 answers at the same time', async () => {
    const ends: (() => void)[] = [];
    const open = async () => {
      const headers = { 'Accept-Encoding': 'gzip' };
      const sent = request({ port, host: '127.0.0.1', path: '/held', headers, agent: false });
      const [answer] = (await once(sent.end(), 'response')) as [IncomingMessage];
      answer.on('error', () => undefined);
      ends.push(() => sent.destroy());
      return answer.headers['content-encoding'];
    };
    const first = await Promise.all(Array.from({ length: 200 }, open));
    expect(new Set(first)).to.deep.equal(new Set(['gzip']));
    expect(await open()).to.equal(undefined);
    for (const end of ends) end();
    await until('a place', async () => (await encodingOf('/page')) === 'br');
  });
});
