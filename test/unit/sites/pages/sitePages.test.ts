import { expect } from 'chai';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { choosePort } from '../../../../src/temporal/server/ports.ts';
import { createRepositories } from '../../../../src/sites/git/repositories.ts';
import { createPagesPool } from '../../../../src/sites/pages/pagesPool.ts';
import type { Repositories } from '../../../../src/sites/git/repository.ts';
import { createSitePages } from '../../../../src/sites/pages/sitePages.ts';
import { failureOf, Workplace } from '../git/remotes.ts';
import { testLauncher } from '../../../helpers/launcher.ts';

const page = (title: string) => `<!doctype html><title>${title}</title><h1>${title} of all</h1>`;
const closed = async () => `https://127.0.0.1:${await choosePort({ setting: 'the test', port: 0 })}/site.git`;

describe('createSitePages', () => {
  const pages = createPagesPool();
  after(() => pages.close());
  let place: Workplace;
  let repositories: Repositories;
  beforeEach(() => {
    place = new Workplace();
    repositories = createRepositories({ dataDir: join(place.folder, 'data'), launcher: testLauncher });
  });
  afterEach(async () => {
    await repositories.close();
    await place.remove();
  });

  const site = (url = place.url, root = '') => ({
    siteId: 'site-1',
    organizationId: 'team',
    repository: { url, branch: 'main', root },
  });
  const list = async (changes: { limit?: number; after?: string } = {}, url?: string) =>
    createSitePages({ repositories, pages, answerWithin: 500 }).list(site(url), { limit: 100, ...changes });

  it('names every page with its title, sorted by slug, and those that can be templates', async () => {
    const commit = await place.push({
      'index.html': page('Home'),
      'b/index.html': page('B &amp; more'),
      'a.html': '<h1>No <b>title</b></h1>',
      'none.html': '<p>Nothing',
      'with space.html': page('Unnameable'),
      'style.css': 'a{}',
      '.hidden.html': page('Hidden'),
    });
    const known = await list();
    expect(known).to.deep.equal({
      commit,
      more: false,
      pages: [
        { slug: '/', title: 'Home', template: true },
        { slug: '/a', title: 'No title', template: true },
        { slug: '/b', title: 'B & more', template: true },
        { slug: '/none', title: '/none', template: true },
        { slug: '/with space', title: 'Unnameable', template: false },
      ],
    });
  });

  it('names pages that nobody can read by their slug, and as no templates', async () => {
    await writeFile(join(place.clone, 'latin.html'), Buffer.from('<title>caf\xe9</title>', 'latin1'));
    await symlink('latin.html', join(place.clone, 'link.html'));
    await place.push({
      'large.html': `<title>Large</title>${'x'.repeat(2_000_000)}`,
      'texts.html': `<title>Texts</title>${'<p>x</p>'.repeat(3_001)}`,
      'deep.html': `<title>Deep</title>${'<div>'.repeat(100_000)}`,
    });
    const known = await list();
    const slugs = ['/deep', '/large', '/latin', '/link', '/texts'];
    expect(known.pages).to.deep.equal(slugs.map((slug) => ({ slug, title: slug, template: false })));
  });

  it('shows the one of two files with the same slug that visitors get', async () => {
    await symlink('nowhere', join(place.clone, 'x.html'));
    await place.push({ 'x/index.html': page('Folder'), 'y.html': page('File'), 'y/index.html': page('Folder') });
    expect((await list()).pages.map(({ title }) => title)).to.deep.equal(['Folder', 'File']);
  });

  it('goes on after a slug, whatever was pushed between', async () => {
    const names = ['a', 'b', 'c', 'd'];
    await place.push(Object.fromEntries(names.map((name) => [`${name}.html`, page(name)])));
    const first = await list({ limit: 2 });
    expect([first.pages.map(({ slug }) => slug), first.more]).to.deep.equal([['/a', '/b'], true]);
    await place.push({ 'a1.html': page('new'), 'c1.html': page('new'), 'd.html': null });
    const second = await list({ limit: 2, after: '/b' });
    expect([second.pages.map(({ slug }) => slug), second.more]).to.deep.equal([['/c', '/c1'], false]);
  });

  it('shows what was pushed a moment ago', async () => {
    const sitePages = createSitePages({ repositories, pages });
    for (const title of ['One', 'Two']) {
      const commit = await place.push({ 'index.html': page(title) });
      const known = await sitePages.list(site(), { limit: 1 });
      expect(known).to.deep.include({ commit, pages: [{ slug: '/', title, template: true }] });
    }
  });

  it('shows what was fetched last while the remote is down, and fails as unavailable before', async () => {
    const commit = await place.push({ 'index.html': page('Home') });
    const down = await closed();
    expect(await failureOf(list({}, down))).to.include({ code: 'UNAVAILABLE' });
    await list();
    expect(await list({}, down)).to.deep.include({ commit });
  });

  it('says what is wrong with a site that can never be read', async () => {
    await place.push({ 'index.html': page('Home') });
    const sitePages = createSitePages({ repositories, pages });
    const failure = await failureOf(sitePages.list(site(place.url, 'public'), { limit: 1 }));
    expect(failure).to.include({ code: 'CONFLICT', message: 'Folder public not found in the repository' });
    const gone = await failureOf(list({}, `${place.url}.gone`));
    expect(gone).to.include({
      code: 'CONFLICT',
      message: 'Fetching from the local repository failed: repository not found',
    });
  });

  describe('with a remote that never answers', () => {
    let silent: Server;
    let url: string;
    let connections = 0;
    beforeEach(async () => {
      connections = 0;
      silent = createServer(() => void connections++).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/site.git`;
    });
    afterEach(() => void silent.close());

    it('answers in time with what was fetched last, by one fetch for all who ask (wall time)', async () => {
      const commit = await place.push({ 'index.html': page('Home') });
      const sitePages = createSitePages({ repositories, pages, answerWithin: 500 });
      await sitePages.list(site(), { limit: 1 });
      const start = performance.now();
      const answers = await Promise.all(Array.from({ length: 5 }, () => sitePages.list(site(url), { limit: 1 })));
      answers.push(await sitePages.list(site(url), { limit: 1 }));
      expect(performance.now() - start).to.be.lessThan(5_000);
      expect(new Set(answers.map((answer) => answer.commit))).to.deep.equal(new Set([commit]));
      expect(connections).to.equal(1);
    });
  });
});
