import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { expect } from 'chai';
import { documentNames } from '../../src/api/reference/documents.ts';
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
    '/docs/readme': 'text/html; charset=utf-8',
    '/docs/images/template-and-page.png': 'image/png',
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
    '/docs/README.md',
    '/docs/CONTRIBUTING',
    '/docs/images/make.ts',
    '/docs/package.json',
    '/docs/swagger-ui-bundle.js.map',
    '/docs/..%2fapp.ts',
    '/docs/__proto__',
  ])
    it(`answers 404 at ${path}`, async () =>
      expect((await api.request('GET', path)).status).to.equal(404));

  it('shows every document of the folder docs as a page, whose links lead to headings', async () => {
    const names = globSync('docs/*.md').map((path) => basename(path, '.md'));
    expect(documentNames).to.have.members([...names, 'readme']);
    const pages = new Map<string, { ids: Set<string>; links: string[] }>();
    for (const name of documentNames) {
      const { text } = await api.request('GET', `/docs/${name}`);
      const all = (attribute: string) =>
        [...text.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g'))].map(([, value]) => value!);
      const links = [...all('href'), ...all('src')].map(
        (url) => new URL(url, `http://docs/docs/${name}`).href,
      );
      pages.set(`/docs/${name}`, { ids: new Set(all('id')), links });
    }
    const own = [...pages.values()]
      .flatMap(({ links }) => links)
      .filter((link) => link.startsWith('http://docs/docs/'));
    expect(own).to.have.lengthOf.above(500);
    for (const link of new Set(own)) {
      const { pathname, hash } = new URL(link);
      const page = pages.get(pathname);
      if (page && hash !== '') expect(page.ids, link).to.include(hash.slice(1));
      if (!page) expect((await api.request('GET', pathname)).status, link).to.equal(200);
    }
  });
});
