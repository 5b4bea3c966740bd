import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { commitTask, type Host, startHost } from './host.ts';
import { type RawResponse, request } from './rawHttp.ts';
import { git } from '../../../helpers/team/workplace.ts';
import { REMOVED_SITE_TEXT } from '../../../../src/hosting/embedded/serveSites.ts';

const files = {
  'index.html': '<h1>Home</h1>',
  'about.html': '<h1>About</h1>',
  'services/index.html': '<h1>Services</h1>',
  'services/seo.html': '<h1>SEO</h1>',
  'both.html': 'page',
  'both/index.html': 'folder',
  'CONTACT.HTM': 'capitals',
  'Prices.HTML': 'capitals too',
  'pointer.png': `version https://git-lfs.github.com/spec/v1\noid sha256:${'4d'.repeat(32)}\nsize 48213\n`,
  plain: 'no extension',
  'style.css': 'body{}',
  'app.js': 'let a',
  'data.json': '{}',
  'logo.svg': '<svg/>',
  'icons.woff2': 'font',
  'empty.txt': '',
  'numbers.txt': '0123456789',
  'long.html': '<p>A long page.</p>'.repeat(200),
  'caf\u00e9.html': 'composed',
  're\u0301sume\u0301.html': 'decomposed',
  'a b&c.html': 'odd name',
  '100%.html': 'percent',
  'robots.txt': 'User-agent: *\nAllow: /\n',
  '404.html': '<h1>Lost</h1>',
  '.well-known/security.txt': 'Contact: x',
  '.env': 'SECRET',
  '.git-credentials': 'SECRET',
  'services/.hidden.html': 'SECRET',
  '.well-known/.hidden': 'SECRET',
  'deep/.well-known/x.txt': 'SECRET',
  'node_modules/x/index.html': 'SECRET',
  'content/a.md':
    '---\ntitle: Ann\n---\n# Ann\n\n<script>x</script>\n\n[B](./b.md#c) and **bold**\n',
  'content/broken.md': '---\na: [\n---\n',
  'package.json': '{"SECRET":1}',
  'package-lock.json': '{"SECRET":1}',
  'services/package.json': '{"SECRET":1}',
};

describe('serveSites', () => {
  let host: Host;
  let taskId: string;
  const get = (target: string, headers: Record<string, string> = {}) => host.live(target, headers);

  before(async () => {
    host = await startHost();
    await mkdir(host.team.clone, { recursive: true });
    await symlink('/etc/passwd', join(host.team.clone, 'passwd.html'));
    await symlink('services', join(host.team.clone, 'linked'));
    host.team.push(files);
    const link = await host.repository.fetchHead();
    git(host.team.clone, 'update-index', '--add', '--cacheinfo', `160000,${link},module`);
    await writeFile(join(host.team.clone, 'back\\slash.html'), 'SECRET');
    host.team.push({ 'pushed.html': 'x' });
    await host.hosting.ensureLive(host.site);
    const task = await commitTask(host, {
      'new.html': '<h1>New</h1>',
      'about.html': '<h1>Changed</h1>',
    });
    taskId = task.taskId;
    await host.hosting.deployPreview({ site: host.site, ...task, pages: [] });
  });
  after(() => host.close());

  describe('paths', () => {
    const served: [string, string][] = [
      ['/', '<h1>Home</h1>'],
      ['/about', '<h1>About</h1>'],
      ['/services/', '<h1>Services</h1>'],
      ['/both', 'page'],
      ['/both/', 'folder'],
      ['/%61bout', '<h1>About</h1>'],
      ['/CONTACT', 'capitals'],
      ['/Prices', 'capitals too'],
      ['/Prices.HTML', 'capitals too'],
      ['/caf%C3%A9', 'composed'],
      ['/r%C3%A9sum%C3%A9', 'decomposed'],
      ['/.well-known/security.txt', 'Contact: x'],
    ];
    for (const [target, body] of served) {
      it(`answers 200 at ${target}`, async () => {
        expect(await get(target)).to.include({ status: 200, text: body });
      });
    }

    const redirects: [string, string][] = [
      ['/services', '/services/'],
      ['/%73ervices?next=//evil.com', '/services/?next=//evil.com'],
      ['/about/', '/about'],
    ];
    for (const [target, location] of redirects) {
      it(`redirects ${target} to ${location}`, async () => {
        const { status, headers } = await get(target);
        expect({ status, location: headers['location'] }).to.deep.equal({ status: 301, location });
      });
    }

    const lost = [
      '//evil.com',
      '/missing',
      '/about.html/',
      '/linked/seo',
      '/passwd.html',
      '/module/x',
      '/.env',
      '/deep/.well-known/x.txt',
      '/node_modules/x/',
      '/%252e%252e/secret',
      '/__proto__',
      `/${'a'.repeat(8000)}`,
    ];
    for (const target of lost) {
      it(`answers 404 at ${target.slice(0, 40)} with the site's own page`, async () => {
        const { status, text, headers } = await get(target);
        expect({ status, text }).to.deep.equal({ status: 404, text: '<h1>Lost</h1>' });
        expect(headers)
          .to.include({ 'content-type': 'text/html; charset=utf-8' })
          .and.not.have.any.keys('etag', 'location');
      });
    }

    it('a page in Markdown is answered with its plain rendering, without scripts', async () => {
      const rendered = await get('/content/a');
      expect(rendered.status).to.equal(200);
      expect(rendered.headers).to.include({ 'content-type': 'text/html; charset=utf-8' });
      expect(rendered.headers['content-security-policy']).to.match(/^default-src 'none';/);
      expect(rendered.text)
        .to.include('Plain rendering')
        .and.match(/<h1><slot-text[^>]*>Ann<.slot-text><.h1>/)
        .and.include('href="./b#c"')
        .and.not.include('<script');
      const etag = { 'If-None-Match': rendered.headers['etag']! };
      expect(await get('/content/a', etag)).to.include({ status: 304, text: '' });
      expect((await get('/content/a.md')).text).to.equal(files['content/a.md']);
    });

    it('a page in Markdown that cannot be read is answered with the reason', async () => {
      const { status, text } = await get('/content/broken');
      expect(status).to.equal(404);
      expect(text).to.match(/^The page cannot be rendered\. .*line \d+/i);
    });

    it('a pointer of Git LFS is never sent as the picture that it stands for', async () => {
      const { status, text, headers } = await get('/pointer.png');
      expect(status).to.equal(404);
      expect(text).to.contain('Git LFS').and.not.contain('sha256');
      expect(headers['content-type']).to.equal('text/plain; charset=utf-8');
    });

    const malformed = [
      '/..',
      '/services/../about',
      '/%2e%2e/about',
      '/back\\slash',
      '/%00',
      '/about%0d%0aSet-Cookie:x',
      '/%',
      '/%ff',
      '/about#top',
      '*',
    ];
    for (const target of malformed) {
      it(`rejects ${target} with 400`, async () => {
        const { status, text } = await get(target);
        expect(status).to.equal(400);
        expect(text).not.to.contain('SECRET').and.not.to.contain('root:');
      });
    }
  });

  describe('representations', () => {
    const types: [string, string][] = [
      ['/', 'text/html; charset=utf-8'],
      ['/style.css', 'text/css; charset=utf-8'],
      ['/logo.svg', 'image/svg+xml'],
      ['/robots.txt', 'text/plain; charset=utf-8'],
      ['/plain', 'application/octet-stream'],
    ];
    for (const [target, type] of types) {
      it(`serves ${target} as ${type}, not to be guessed`, async () => {
        const { headers } = await get(target);
        expect(headers).to.include({ 'content-type': type, 'x-content-type-options': 'nosniff' });
      });
    }

    it('use the ID of the blob as ETag, and must be revalidated each time', async () => {
      const { headers } = await get('/about');
      const id = git(host.team.remote, 'rev-parse', 'main:about.html');
      expect(headers).to.include({
        etag: `"${id}"`,
        'cache-control': 'no-cache',
        'accept-ranges': 'bytes',
      });
    });

    it('answer HEAD with the headers of GET, without content', async () => {
      for (const target of ['/about', '/empty.txt', '/missing', '/services']) {
        const head = await host.live(target, {}, 'HEAD');
        const full = await get(target);
        const withoutDate = ({ status, headers }: RawResponse) => ({
          status,
          headers: { ...headers, date: '' },
        });
        expect(withoutDate(head), target).to.deep.equal(withoutDate(full));
        expect(head.body.length).to.equal(0);
      }
    });

    for (const method of ['POST', 'OPTIONS']) {
      it(`do not allow ${method}`, async () => {
        const { status, headers } = await host.live('/', { 'Content-Length': '0' }, method);
        expect({ status, allow: headers['allow'] }).to.deep.equal({
          status: 405,
          allow: 'GET, HEAD',
        });
      });
    }
  });

  describe('conditions and ranges', () => {
    let etag: string;
    before(async () => {
      etag = (await get('/numbers.txt')).headers['etag'] ?? '';
    });

    it('answer 304 without content to a client that has the file', async () => {
      for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
        const { status, headers, text } = await get('/numbers.txt', { 'If-None-Match': tags });
        expect({ status, text, etag: headers['etag'] }, tags).to.deep.equal({
          status: 304,
          text: '',
          etag,
        });
        expect(headers)
          .to.include({ 'cache-control': 'no-cache' })
          .and.not.have.any.keys('content-type', 'content-length');
      }
    });

    it('answer with the file to a client that has another one', async () => {
      for (const tags of ['"x"', etag.slice(1, -1), `"${etag}"`])
        expect((await get('/numbers.txt', { 'If-None-Match': tags })).status, tags).to.equal(200);
    });

    const parts: [string, string, string][] = [
      ['bytes=0-3', '0123', '0-3'],
      ['bytes=-3', '789', '7-9'],
      ['bytes=8-1000', '89', '8-9'],
    ];
    for (const [range, text, content] of parts) {
      it(`answer ${range} with ${content}`, async () => {
        const response = await get('/numbers.txt', { Range: range });
        expect(response).to.include({ status: 206, text });
        expect(response.headers).to.include({ 'content-range': `bytes ${content}/10`, etag });
        expect(response.headers['content-length']).to.equal(String(text.length));
      });
    }

    for (const range of ['bytes=10-', 'bytes=-0']) {
      it(`answer ${range} of ten bytes with 416`, async () => {
        const { status, headers } = await get('/numbers.txt', { Range: range });
        expect({ status, range: headers['content-range'] }).to.deep.equal({
          status: 416,
          range: 'bytes */10',
        });
      });
    }

    it('let If-Range use a range only for the same file', async () => {
      const withTag = (tag: string) => get('/numbers.txt', { Range: 'bytes=0-1', 'If-Range': tag });
      expect((await withTag(etag)).status).to.equal(206);
      for (const tag of ['"x"', `W/${etag}`, 'Thu, 01 Jan 2026 00:00:00 GMT'])
        expect((await withTag(tag)).status, tag).to.equal(200);
    });
  });

  describe('compressed files', () => {
    const accepting = { 'Accept-Encoding': 'gzip' };

    it('have the same contents, with a weak tag', async () => {
      const plain = await get('/long');
      const { headers } = await get('/long', accepting);
      expect(headers).to.include({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
      expect(headers['etag']).to.equal(`W/${plain.headers['etag']}`);
      expect(plain.headers).to.include({ vary: 'Accept-Encoding', 'content-length': '3800' });
      const again = await get('/long', { ...accepting, 'If-None-Match': headers['etag']! });
      expect([again.status, again.headers['etag']]).to.deep.equal([304, headers['etag']]);
    });

    it('are sent whole for a range of the compressed file, and otherwise ranges are of the file itself', async () => {
      const plain = await get('/long');
      const range = { ...accepting, Range: 'bytes=3-6' };
      const part = await get('/long', range);
      expect(part).to.include({ status: 206, text: 'A lo' });
      expect(part.headers).to.not.have.property('content-encoding');
      const tag = plain.headers['etag']!;
      expect(await get('/long', { ...range, 'If-Range': tag })).to.include({ status: 206 });
      const weak = await get('/long', { ...range, 'If-Range': `W/${tag}` });
      expect([weak.status, weak.headers['content-encoding']]).to.deep.equal([200, 'gzip']);
    });

    it('do not include short files and pictures', async () => {
      for (const path of ['/about', '/logo.svg'])
        expect((await get(path, accepting)).headers).to.not.have.property('content-encoding');
    });
  });

  describe('previews', () => {
    it("show the task's commit while the live site stays unchanged", async () => {
      expect(await host.preview(taskId, '/new')).to.include({ status: 200, text: '<h1>New</h1>' });
      expect(await host.preview(taskId, '/about')).to.include({
        status: 200,
        text: '<h1>Changed</h1>',
      });
      expect((await get('/new')).status).to.equal(404);
      expect((await get('/about')).text).to.equal('<h1>About</h1>');
    });

    it('allow every origin to load their fonts and those of live sites, as frames need, and nothing else', async () => {
      const fonts = await commitTask(host, { 'f.woff2': 'font', 'p.html': 'page' });
      await host.hosting.deployPreview({ site: host.site, ...fonts, pages: [] });
      const header = async (path: string) =>
        (await host.preview(fonts.taskId, path)).headers['access-control-allow-origin'];
      expect(await header('/f.woff2')).to.equal('*');
      expect(await header('/p')).to.equal(undefined);
      const liveHeader = async (path: string) =>
        (await get(path)).headers['access-control-allow-origin'];
      expect(await liveHeader('/icons.woff2')).to.equal('*');
      for (const path of ['/', '/app.js', '/data.json', '/logo.svg'])
        expect(await liveHeader(path), path).to.equal(undefined);
    });

    it('are hidden from search engines and shared caches, also with errors', async () => {
      for (const target of ['/new', '/missing', '/services', '/..'])
        expect((await host.preview(taskId, target)).headers, target).to.include({
          'x-robots-tag': 'noindex',
          'cache-control': 'private, no-cache',
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
        });
      for (const name of ['x-robots-tag', 'referrer-policy'])
        expect((await get('/about')).headers).not.to.have.property(name);
    });

    it('have a robots.txt of their own', async () => {
      expect((await host.preview(taskId, '/robots.txt')).text).to.equal(
        'User-agent: *\nDisallow: /\n',
      );
      expect((await get('/robots.txt')).text).to.equal(files['robots.txt']);
    });

    it('are found only under their own site', async () => {
      const other = await host.sites.create({
        organizationId: host.organizationId,
        name: 'Other',
        repository: host.site.repository,
      });
      const response = await request(host.port, '/new', [
        ['Host', `${taskId}--${other.label}.preview.localhost`],
      ]);
      expect(response.status).to.equal(404);
      expect(response.text).to.match(/no preview/);
    });

    it('of unknown tasks answer 404 and say so', async () => {
      const { status, text, headers } = await host.preview('bg-aaaaaaaaaaaaaaaaaaaaaa', '/');
      expect({ status, type: headers['content-type'] }).to.deep.equal({
        status: 404,
        type: 'text/plain; charset=utf-8',
      });
      expect(text).to.match(/no preview/);
    });
  });

  describe('previews that have ended', () => {
    const targets = ['/new', '/missing', '/robots.txt', '/services'];
    const unknown = `bg-${'z'.repeat(22)}`;
    /** Answers without what differs between any two. */
    const answers = (id: string) =>
      Promise.all(
        targets.flatMap((target) =>
          ['GET', 'POST'].map(async (method) => {
            const { status, headers, text } = await host.preview(id, target, {}, method);
            return { target, status, headers: { ...headers, date: '' }, text };
          }),
        ),
      );
    let ending: string;
    beforeEach(async () => {
      const task = await commitTask(host, { 'new.html': '<h1>New</h1>' });
      ending = task.taskId;
      await host.hosting.deployPreview({ site: host.site, ...task, pages: [] });
      expect((await host.preview(ending, '/new')).status).to.equal(200);
    });

    it('by deletion answer like unknown previews', async () => {
      await host.deployments.removePreview({ siteId: host.site.siteId, taskId: ending });
      expect(await answers(ending)).to.deep.equal(await answers(unknown));
    });

    it('by their age answer like unknown previews, and not earlier', async () => {
      await host.agePreview(ending, 29.99);
      expect((await host.preview(ending, '/new')).status).to.equal(200);
      await host.agePreview(ending, 30);
      expect(await answers(ending)).to.deep.equal(await answers(unknown));
    });
  });

  describe('sites without contents', () => {
    const at = (label: string) => request(host.port, '/', [['Host', `${label}.sites.localhost`]]);

    it('answer 404 without a deployment or a repository', async () => {
      const { organizationId, sites } = host;
      const fresh = await sites.create({
        organizationId,
        name: 'Fresh',
        repository: host.site.repository,
      });
      const bare = await sites.create({ organizationId, name: 'Bare', repository: null });
      expect((await at(fresh.label)).status).to.equal(404);
      expect((await at(bare.label)).status).to.equal(404);
    });
  });
});

describe('serveSites, of a site that was removed', () => {
  let host: Host;
  before(async () => {
    host = await startHost();
    host.team.push(files);
    await host.hosting.ensureLive(host.site);
    expect((await host.live('/')).status).to.equal(200);
    await host.sites.remove(host.site.siteId);
  });
  after(() => host.close());

  for (const target of ['/', '/app.js'])
    it(`answers ${target} with 410, and lets browsers forget caches and service workers`, async () => {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, body } = await host.live(target, {}, method);
        expect(status).to.equal(410);
        expect(headers).to.include({
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        });
        // not the cookies, which would be those of the whole domain
        expect(headers['clear-site-data']).to.equal('"cache", "storage"');
        if (method === 'GET') expect(body.toString()).to.equal(`${REMOVED_SITE_TEXT}\n`);
      }
    });

  it('answers a request for a newer service worker with one that ends itself', async () => {
    const { status, headers, text } = await host.live('/any/worker.js', {
      'Service-Worker': 'script',
    });
    expect(status).to.equal(200);
    expect(headers).to.include({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-store',
    });
    expect(text).to.include('registration.unregister()');
  });

  it('answers an unknown name with 404, and leaves browsers alone', async () => {
    const { status, headers } = await request(host.port, '/', [
      ['Host', 'never-was.sites.localhost'],
    ]);
    expect(status).to.equal(404);
    expect(headers).to.not.have.property('clear-site-data');
  });

  it('shows the organization’s next site with that name at once', async () => {
    const { organizationId, team } = host;
    const repository = { url: team.url, branch: 'main', root: '' };
    const site = await host.sites.create({ organizationId, name: host.site.label, repository });
    expect(site.label).to.equal(host.site.label);
    expect((await host.live('/')).status, 'nothing is live yet').to.equal(404);
    await host.hosting.ensureLive(site);
    const { status, headers } = await host.live('/');
    expect(status).to.equal(200);
    expect(headers).to.not.have.property('clear-site-data');
  });
});
