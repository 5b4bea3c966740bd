import { expect } from 'chai';
import { once } from 'node:events';
import { symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type { CommandLauncher } from '../../../../../src/sites/git/launcher/launcher.ts';
import { createRepositories } from '../../../../../src/sites/git/repositories.ts';
import type { GitRepositories } from '../../../../../src/sites/git/repository.ts';
import {
  createSitePages,
  type SitePagesPart,
} from '../../../../../src/sites/pages/listing/sitePages.ts';
import type { PagesPool } from '../../../../../src/sites/pages/pages.ts';
import { memoryTree } from '../../../agents/memoryTree.ts';
import { failureOf, Workplace } from '../../../../helpers/team/workplace.ts';
import { testLauncher } from '../../../../helpers/launcher.ts';
import { freePort } from '../../../../helpers/ports.ts';
import { testPages as pages, withMethods } from '../../../../helpers/threads.ts';
import { missingFolderError } from '../../../../../src/sites/git/trees/readTree.ts';

const page = (title: string) => `<!doctype html><title>${title}</title><h1>${title} of all</h1>`;
const closed = async () => `https://127.0.0.1:${await freePort()}/site.git`;

const withoutChanges = ({ pages, ...part }: SitePagesPart) => ({
  ...part,
  pages: pages.map(({ slug, title, template }) => ({ slug, title, template })),
});

describe('createSitePages', () => {
  let place: Workplace;
  let repositories: GitRepositories;
  /**
   * Where git finds something else in the remote's place: its address alone would make it another
   * repository.
   */
  let instead: string | undefined;
  const launcher: CommandLauncher = {
    ...testLauncher,
    run({ args, env, ...command }, signal) {
      const dialled = args.map((word) => (word === place.url ? (instead ?? word) : word));
      const allowed = instead === undefined ? {} : { GIT_ALLOW_PROTOCOL: 'https' };
      return testLauncher.run({ ...command, args: dialled, env: { ...env, ...allowed } }, signal);
    },
  };
  beforeEach(() => {
    place = new Workplace();
    instead = undefined;
    repositories = createRepositories({ dataDir: join(place.folder, 'data'), launcher });
  });
  afterEach(async () => {
    await repositories.close();
    await place.remove();
  });

  const work = { organizationId: 'org-1' };
  const site = (url = place.url, root = '') => ({
    siteId: 'site-1',
    ...work,
    repository: { url, branch: 'main', root },
  });
  const list = async (changes: { limit?: number; after?: string } = {}, url?: string) =>
    createSitePages({ repositories, pages }).list(site(url), { limit: 100, ...changes }, work);

  it('returns every page with its title, sorted by slug, and marks possible templates', async () => {
    const commit = place.push({
      'index.html': page('Home'),
      'b/index.html': page('B &amp; more'),
      'a.html': '<h1>No <b>title</b></h1>',
      'none.html': '<p>Nothing',
      'two  spaces.html': page('Unnameable'),
      'with space.html': page('Spaced'),
      'style.css': 'a{}',
      '.hidden.html': page('Hidden'),
    });
    const known = await list();
    for (const { changedAt, changedBy, taskId } of known.pages)
      expect([changedAt?.slice(0, 2), changedBy, taskId]).to.deep.equal(['20', 'T', null]);
    expect(withoutChanges(known)).to.deep.equal({
      commit,
      more: false,
      pages: [
        { slug: '/', title: 'Home', template: true },
        { slug: '/a', title: 'No title', template: true },
        { slug: '/b', title: 'B & more', template: true },
        { slug: '/none', title: '/none', template: true },
        { slug: '/two  spaces', title: 'Unnameable', template: false },
        { slug: '/with space', title: 'Spaced', template: true },
      ],
    });
  });

  it('names unreadable pages by their slug, and not as templates', async () => {
    await writeFile(
      join(place.clone, 'latin.html'),
      Buffer.from('<title>caf\xe9</title>', 'latin1'),
    );
    await symlink('latin.html', join(place.clone, 'link.html'));
    place.push({
      'large.html': `<title>Large</title>${'x'.repeat(2_000_000)}`,
      'texts.html': `<title>Texts</title>${'<p>x</p>'.repeat(3_001)}`,
      'deep.html': `<title>Deep</title>${'<div>'.repeat(100_000)}`,
    });
    const known = await list();
    const slugs = ['/deep', '/large', '/latin', '/link', '/texts'];
    expect(withoutChanges(known).pages).to.deep.equal(
      slugs.map((slug) => ({ slug, title: slug, template: false })),
    );
  });

  it('shows the one of two files with the same slug that visitors get', async () => {
    await symlink('nowhere', join(place.clone, 'x.html'));
    place.push({
      'x/index.html': page('Folder'),
      'y.html': page('File'),
      'y/index.html': page('Folder'),
    });
    expect((await list()).pages.map(({ title }) => title)).to.deep.equal(['Folder', 'File']);
  });

  it('continues after a slug, whatever was pushed in between', async () => {
    const names = ['a', 'b', 'c', 'd'];
    place.push(Object.fromEntries(names.map((name) => [`${name}.html`, page(name)])));
    const first = await list({ limit: 2 });
    expect([first.pages.map(({ slug }) => slug), first.more]).to.deep.equal([['/a', '/b'], true]);
    place.push({ 'a1.html': page('new'), 'c1.html': page('new'), 'd.html': null });
    const second = await list({ limit: 2, after: '/b' });
    expect([second.pages.map(({ slug }) => slug), second.more]).to.deep.equal([
      ['/c', '/c1'],
      false,
    ]);
  });

  it('shows what was pushed a moment ago', async () => {
    const sitePages = createSitePages({ repositories, pages });
    for (const title of ['One', 'Two']) {
      const commit = place.push({ 'index.html': page(title) });
      const known = await sitePages.list(site(), { limit: 1 }, work);
      expect(withoutChanges(known)).to.deep.include({
        commit,
        pages: [{ slug: '/', title, template: true }],
      });
    }
  });

  it('shows what was fetched last while the remote is down, and is unavailable before the first fetch', async () => {
    const commit = place.push({ 'index.html': page('Home') });
    const down = await closed();
    instead = down;
    expect(await failureOf(list())).to.include({ code: 'UNAVAILABLE' });
    instead = undefined;
    await list();
    instead = down;
    expect(await list()).to.deep.include({ commit });
  });

  it('reports the problem of a site that can never be read', async () => {
    place.push({ 'index.html': page('Home') });
    const sitePages = createSitePages({ repositories, pages });
    const failure = await failureOf(sitePages.list(site(place.url, 'public'), { limit: 1 }, work));
    expect(failure).to.include({
      code: 'CONFLICT',
      message: missingFolderError('public').message,
    });
    const gone = await failureOf(list({}, `${place.url}.gone`));
    expect(gone).to.include({
      code: 'CONFLICT',
      message: 'Fetching from the local repository failed: repository not found',
    });
  });

  it('reads few of 50,000 pages for one of them, and lists them once', async () => {
    const count = 50_000;
    const seen = { lists: 0, slugs: 0 };
    const counting: Pick<PagesPool, 'for'> = {
      for: (work) =>
        withMethods(pages.for(work), {
          listPages: (files) => {
            seen.lists++;
            return pages.listPages(files);
          },
          slugOf: (path) => {
            seen.slugs++;
            return pages.slugOf(path);
          },
        }),
    };
    const files = Array.from({ length: count }, (_, i) => [
      `blog/post-${i}/index.html`,
      page(`Post ${i % 9}`),
    ]);
    const tree = memoryTree(Object.fromEntries(files) as Record<string, string>);
    const repository = {
      fetchHead: () => Promise.resolve(tree.commit),
      tree: () => Promise.resolve(tree),
      lastChanges: () => Promise.resolve(new Map()),
    };
    const memory = { open: () => repository } as unknown as GitRepositories;
    const sitePages = createSitePages({ repositories: memory, pages: counting });
    const part = { limit: 1, after: '/blog/post-3' };
    await Promise.all(Array.from({ length: 3 }, () => sitePages.list(site(), part, work)));
    seen.slugs = 0;
    const { pages: listed, more } = await sitePages.list(site(), part, work);
    expect([listed[0]?.slug, more]).to.deep.equal(['/blog/post-30', true]);
    expect(seen.lists).to.equal(1);
    expect(seen.slugs, 'a binary search').to.be.within(2, Math.ceil(Math.log2(count)) + 2);
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

    it('answers in time with what was fetched last, with one fetch for all callers (wall time)', async () => {
      const commit = place.push({ 'index.html': page('Home') });
      const sitePages = createSitePages({ repositories, pages, answerWithin: 500 });
      await sitePages.list(site(), { limit: 1 }, work);
      const start = performance.now();
      instead = url;
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => sitePages.list(site(), { limit: 1 }, work)),
      );
      answers.push(await sitePages.list(site(), { limit: 1 }, work));
      expect(performance.now() - start).to.be.lessThan(5_000);
      expect(new Set(answers.map((answer) => answer.commit))).to.deep.equal(new Set([commit]));
      expect(connections).to.equal(1);
    });
  });
});
