import { expect } from 'chai';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { type GuardedUi, guardUi, uiRefusals } from '../../../src/temporal/server/guardUi.ts';
import { freePort } from '../../helpers/ports.ts';

const large = 'A history of many events. '.repeat(400_000);

describe('guardUi', () => {
  let upstream: Server;
  let ui: GuardedUi;
  let seen: { method?: string; url?: string; headers: IncomingHttpHeaders; body: string }[];

  const answers: Record<string, (res: ServerResponse) => void> = {
    '/large': (res) => res.end(large),
    '/gzip': (res) =>
      res
        .writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Type': 'text/css' })
        .end(gzipSync('css')),
    '/cookies': (res) =>
      res
        .writeHead(304, { 'Set-Cookie': ['a=1', 'b=2'], Connection: 'x-hop', 'X-Hop': 'yes' })
        .end(),
    '/cut': (res) => res.write('begins', () => res.destroy()),
  };
  async function answer(req: IncomingMessage, res: ServerResponse) {
    seen.push({ method: req.method!, url: req.url!, headers: req.headers, body: await text(req) });
    (answers[req.url!] ?? (() => res.end('the UI')))(res);
  }

  before(async () => {
    upstream = createServer((req, res) => void answer(req, res)).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    ui = await guardUi({ port: 0 });
    ui.forwardTo({ host: '127.0.0.1', port: (upstream.address() as AddressInfo).port });
  });
  beforeEach(() => (seen = []));
  after(() => {
    ui.close();
    upstream.close();
  });

  /** Sends this request as it is. `PORT` becomes the port. @returns the whole answer */
  async function sendRaw(request: string): Promise<string> {
    const socket = connect(ui.port, '127.0.0.1');
    socket.write(request.replaceAll('PORT', String(ui.port)));
    return await text(socket);
  }
  const send = (...lines: string[]) =>
    sendRaw([...lines, 'Connection: close', '', ''].join('\r\n'));
  const statusOf = (answered: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answered)?.[1]);
  const url = (path: string) => `http://127.0.0.1:${ui.port}${path}`;
  /** `fetch` sets neither header that a browser sets, and takes those that we give. */
  const ask = (path: string, method: string, headers: Record<string, string>) =>
    fetch(url(path), { method, headers });

  for (const host of ['LocalHost:PORT', '127.0.0.1:PORT', '[::1]:PORT'])
    it(`passes on a request to ${host}`, async () => {
      expect(await send('GET /api/v1/namespaces HTTP/1.1', `Host: ${host}`)).to.match(
        /^HTTP\/1\.1 200 [^]*the UI$/,
      );
      expect(seen.map(({ url }) => url)).to.deep.equal(['/api/v1/namespaces']);
    });

  const strangers: [what: string, ...lines: string[]][] = [
    ['another name, for a page', 'GET / HTTP/1.1', 'Host: rebind.evil.example'],
    ['a name that only begins like ours', 'GET / HTTP/1.1', 'Host: 127.0.0.1.evil.example:PORT'],
    ['a name with a user in it', 'GET / HTTP/1.1', 'Host: localhost:PORT@evil.example'],
    ['no port', 'GET / HTTP/1.1', 'Host: localhost'],
    ['no Host', 'GET / HTTP/1.0'],
    [
      'a whole address of another name',
      'GET http://rebind.evil.example/ HTTP/1.1',
      'Host: localhost:PORT',
    ],
    [
      'two Hosts, ours first',
      'GET / HTTP/1.1',
      'Host: localhost:PORT',
      'Host: rebind.evil.example',
    ],
  ];
  for (const [what, ...lines] of strangers)
    it(`rejects with 421: ${what}`, async () => {
      const answered = await send(...lines);
      expect(statusOf(answered), answered).to.equal(421);
      expect(answered).to.contain(`${uiRefusals.otherHost(ui.port).reason}.`);
      expect(seen).to.deep.equal([]);
    });

  const fromPages: [
    what: string,
    method: string,
    headers: Record<string, string>,
    status: number,
  ][] = [
    ['what no browser sends', 'POST', {}, 200],
    [
      'an address that was typed',
      'GET',
      { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' },
      200,
    ],
    ['the UI itself, reading', 'GET', { 'Sec-Fetch-Site': 'same-origin' }, 200],
    [
      'a link elsewhere',
      'GET',
      {
        'Sec-Fetch-Site': 'cross-site',
        'Sec-Fetch-Mode': 'navigate',
        'Sec-Fetch-Dest': 'document',
      },
      200,
    ],
    [
      'a form elsewhere',
      'POST',
      {
        'Sec-Fetch-Site': 'cross-site',
        'Sec-Fetch-Mode': 'navigate',
        'Sec-Fetch-Dest': 'document',
        Origin: 'https://evil.example',
      },
      403,
    ],
    [
      'a frame elsewhere',
      'GET',
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'iframe' },
      403,
    ],
    ['another origin', 'POST', { Origin: 'https://evil.example' }, 403],
    ['our other name', 'POST', { Origin: 'http://localhost:PORT' }, 403],
  ];
  for (const [what, method, headers, status] of fromPages)
    it(`answers ${status} to ${what}: ${method} ${Object.values(headers).join(', ')}`, async () => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      const answered = await send(
        `${method} /x HTTP/1.1`,
        'Host: 127.0.0.1:PORT',
        'Content-Length: 0',
        ...lines,
      );
      expect(statusOf(answered), answered).to.equal(status);
      expect(seen).to.have.length(status === 200 ? 1 : 0);
      if (status === 403) expect(answered).to.contain(`${uiRefusals.otherPage.reason}.`);
    });

  it('rejects a WebSocket of another origin, and answers one of our own as a plain request', async () => {
    const upgrade = [
      'GET /x HTTP/1.1',
      'Host: 127.0.0.1:PORT',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
    ];
    expect(statusOf(await send(...upgrade, 'Origin: http://evil.example'))).to.equal(403);
    expect(statusOf(await send(...upgrade, 'Origin: http://127.0.0.1:PORT'))).to.equal(200);
    expect(seen.map(({ headers }) => headers.upgrade)).to.deep.equal([undefined]);
  });

  it('passes bodies of both kinds, large answers, compressed ones and cookies on unchanged', async () => {
    await fetch(url('/signal?a=%2F&b'), { method: 'POST', body: 'of known length' });
    const chunks = new Blob(['in ', 'chunks']).stream();
    await fetch(url('/delete'), { method: 'DELETE', body: chunks, duplex: 'half' });
    const sent = seen.map(({ method, url, body }) => `${method} ${url} ${body}`);
    expect(sent).to.deep.equal([
      'POST /signal?a=%2F&b of known length',
      'DELETE /delete in chunks',
    ]);
    expect((await (await fetch(url('/large'))).text()) === large).to.equal(true);
    const compressed = await fetch(url('/gzip'));
    expect(compressed.headers.get('content-encoding')).to.equal('gzip');
    expect(await compressed.text()).to.equal('css');
    const cookies = await ask('/cookies', 'GET', { 'If-None-Match': 'x' });
    expect([cookies.status, cookies.headers.getSetCookie()]).to.deep.equal([304, ['a=1', 'b=2']]);
  });

  it('answers 503 while no server runs', async () => {
    const down = await guardUi({ port: 0 });
    try {
      for (const port of [undefined, await freePort()]) {
        if (port) down.forwardTo({ host: '127.0.0.1', port });
        const answered = await fetch(`http://127.0.0.1:${down.port}/`);
        expect(answered.status).to.equal(503);
        expect(await answered.text()).to.equal(
          'The Temporal server is not running at the moment.\n',
        );
      }
    } finally {
      down.close();
    }
  });
});
