import { expect } from 'chai';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request as send } from 'undici';
import type { BundledPage } from '../../src/bundle/bundle.ts';
import { buildConsole } from '../../src/console/console.ts';
import { startApi, type TestApi } from '../helpers/api.ts';

/** Bytes of the first screen, with all that its page asks for, over the wire. */
const FIRST_SCREEN_BYTES = 100_000;

describe('the console', () => {
  let api: TestApi;
  before(async () => {
    api = await startApi();
  });
  after(() => api.close());

  /** An answer as it is sent: nothing is unpacked. */
  async function get(
    path: string,
    headers: Record<string, string> = {},
    method: 'GET' | 'HEAD' = 'GET',
  ) {
    const reply = await send(`http://127.0.0.1:${api.port}${path}`, {
      method,
      headers: { host: 'localhost', ...headers },
    });
    return {
      status: reply.statusCode,
      headers: reply.headers,
      bytes: Buffer.from(await reply.body.arrayBuffer()),
    };
  }

  const screens = [
    '/',
    '/sign-in',
    '/sign-up',
    '/welcome',
    '/connect?client_id=x',
    '/invitations/5c1f9a',
    '/sites',
    '/sites/new',
    '/sites/2ccccd9d-5b1e-4b77-8593-be03be951734/new-task?kind=table',
    '/tasks',
    '/tasks/bg-0123456789abcdefghijkl',
    '/callbacks',
    '/settings',
    '/settings/keys',
    '/shared/x',
  ];
  it('is one page at every address of its screens, without a key', async () => {
    const pages = await Promise.all(screens.map((path) => get(path)));
    for (const [at, { status, headers, bytes }] of pages.entries()) {
      expect(
        [status, headers['content-type'], headers['cache-control']],
        screens[at],
      ).to.deep.equal([200, 'text/html; charset=utf-8', 'no-cache']);
      expect(bytes.equals(pages[0]!.bytes), screens[at]).to.equal(true);
    }
  });

  it('runs only its own files, and frames only sites and previews', async () => {
    const { headers, bytes } = await get('/');
    const policy = String(headers['content-security-policy']);
    const directives = new Map(
      policy.split('; ').map((each) => [each.split(' ')[0], each.split(' ').slice(1).join(' ')]),
    );
    expect(Object.fromEntries(directives)).to.deep.equal({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': "'self' data:",
      'connect-src': "'self'",
      'frame-src': "'self' https://*.sites.example https://*.preview.example",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': "'none'",
    });
    const page = bytes.toString();
    expect(page).to.not.match(
      /<style|<script(?! type="module" src="\/console\/)|\son\w+=|\sstyle=|(src|href)="(?!\/|data:)/,
    );
    expect(headers).to.include({
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
  });

  it('loads its first screen with less than 100 kB', async () => {
    const packed = { 'accept-encoding': 'br, gzip' };
    const page = await get('/', packed);
    const html = brotliDecompressSync(page.bytes).toString();
    const paths = [...html.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path]) => path!);
    expect(paths).to.have.length.above(2);
    const files = await Promise.all(paths.map((path) => get(path, packed)));
    for (const { status, headers } of files)
      expect([status, headers['content-encoding']]).to.deep.equal([200, 'br']);
    const sent = [page, ...files].reduce((sum, { bytes }) => sum + bytes.length, 0);
    expect(sent).to.be.below(FIRST_SCREEN_BYTES);
  });

  describe('its files', () => {
    let built: BundledPage;
    before(async () => {
      built = await buildConsole();
    });

    it('are precompressed in each encoding under their own ETags, and are cached for ever', async () => {
      for (const name of built.assets.keys()) {
        const [br, zipped, plain] = [
          await get(`/console/${name}`, { 'accept-encoding': 'gzip, br' }),
          await get(`/console/${name}`, { 'accept-encoding': 'gzip' }),
          await get(`/console/${name}`),
        ];
        expect([br, zipped, plain].map(({ headers }) => headers['content-encoding'])).to.deep.equal(
          ['br', 'gzip', undefined],
        );
        expect(brotliDecompressSync(br.bytes).equals(plain.bytes)).to.equal(true);
        expect(gunzipSync(zipped.bytes).equals(plain.bytes)).to.equal(true);
        expect(new Set([br, zipped, plain].map(({ headers }) => headers['etag'])).size).to.equal(3);
        expect(br.headers).to.include({
          'cache-control': 'public, max-age=31536000, immutable',
          vary: 'Accept-Encoding',
        });
        expect(plain.headers['content-type']).to.match(/^text\/(javascript|css); charset=utf-8$/);
      }
    });
  });

  const nothing = [
    '/console',
    '/console/',
    '/console/main.tsx',
    '/console/__proto__',
    '/console/constructor',
    '/console/..%2fconsole.ts',
    '/console/%2e%2e/package.json',
    '/console/style.css',
    '/api/v1/nothing',
    '/sign-in/',
    '/Sites',
    '/settingsx',
    '/nothing',
  ];
  for (const path of nothing)
    it(`answers 404 at ${path}`, async () => {
      const { status, headers, bytes } = await get(path, { accept: '*/*' });
      expect([status, headers['content-type'], bytes.toString()]).to.deep.equal([
        404,
        'application/json; charset=utf-8',
        '{"error":"Not found"}',
      ]);
    });
});
