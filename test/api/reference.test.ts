import { expect } from 'chai';
import { startApi, type TestApi } from '../helpers/api.ts';

describe('GET /docs', () => {
  let api: TestApi;
  before(async () => (api = await startApi()));
  after(() => api.close());

  const types = {
    '/docs': 'text/html; charset=utf-8',
    '/docs/page.css': 'text/css; charset=utf-8',
    '/docs/page.js': 'text/javascript; charset=utf-8',
    '/docs/swagger-ui.css': 'text/css; charset=utf-8',
    '/docs/swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
    '/docs/README.md': 'text/plain; charset=utf-8',
    '/docs/prompts.md': 'text/plain; charset=utf-8',
  };
  for (const [path, type] of Object.entries(types))
    it(`answers ${path} without a key as ${type}, and 304 to a client that has it`, async () => {
      const { status, headers, text } = await api.request('GET', path);
      expect([
        status,
        headers.get('content-type'),
        headers.get('x-content-type-options'),
      ]).to.deep.equal([200, type, 'nosniff']);
      expect(text).to.not.be.empty;
      const again = await api.request('GET', path, {
        headers: { 'If-None-Match': headers.get('etag')!, 'Cache-Control': '' },
      });
      expect([again.status, again.text]).to.deep.equal([304, '']);
    });

  for (const path of [
    '/docs/',
    '/docs/package.json',
    '/docs/swagger-ui-bundle.js.map',
    '/docs/..%2fapp.ts',
    '/docs/__proto__',
  ])
    it(`answers 404 at ${path}`, async () =>
      expect((await api.request('GET', path)).status).to.equal(404));
});
