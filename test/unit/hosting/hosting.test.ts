import { expect } from 'chai';
import type { Site } from '../../../src/contract/site.ts';
import { failureOf, git, publication, task } from '../../helpers/team/workplace.ts';
import { commitTask, type Host, pagesOf, startHost } from './embedded/host.ts';
import { request } from './embedded/rawHttp.ts';
import { openRepository } from '../../../src/sites/git/registeredSite.ts';
import { begun, went } from '../../helpers/deployed.ts';

/** The host and path of a URL, asked of the host under test. */
const open = (host: Host, url: string) => {
  const { host: name, pathname } = new URL(url);
  return request(host.port, pathname, [['Host', name]]);
};

describe('createSiteHosting', () => {
  let host: Host;
  let site: Site;
  const start = async () => {
    host = await startHost();
    site = host.site;
    host.team.push({ 'index.html': 'home', 'about.html': 'about' });
    await host.hosting.ensureLive(site);
  };
  const close = () => host.close();

  const live = async () => (await host.deployments.live(site.siteId))?.commit;
  const publish = async (files: Record<string, string>) => {
    const { taskId, base, commit } = await commitTask(host, files);
    return {
      taskId,
      commit: await host.repository.publish(publication(taskId, base, commit)),
      task: commit,
    };
  };

  describe('deployPreview', () => {
    before(start);
    after(close);

    it('returns the final URL of each page, which opens without a redirect', async () => {
      const files = {
        'new.html': '1',
        'a/index.html': '2',
        'a/b.html': '3',
        'index.html': '4',
        'ü b.html': '5',
      };
      const task = await commitTask(host, files);
      const { pages } = await host.hosting.deployPreview({
        site,
        ...task,
        pages: pagesOf(Object.keys(files)),
      });
      const base = `http://${task.taskId}--${site.label}.preview.localhost:${host.port}`;
      expect(pages.map(({ url }) => url)).to.deep.equal(
        ['/new', '/a/', '/a/b', '/', '/%C3%BC%20b'].map((path) => base + path),
      );
      expect(pages.map(({ slug }) => slug)).to.deep.equal(
        pagesOf(Object.keys(files)).map(({ slug }) => slug),
      );
      for (const [i, { url }] of pages.entries())
        expect(await open(host, url!), url!).to.include({ status: 200, text: String(i + 1) });
    });

    it('shows a commit that another process created and deployed, fetched by its ref', async () => {
      const elsewhere = host.team.open({ dataDir: 'a worker' });
      const taskId = 'bg-elsewhere';
      const base = await elsewhere.fetchBase(taskId);
      const commit = await elsewhere.commitTask(task(taskId, base, { 'new.html': 'new' }));
      const other = host.hostingElsewhere();
      try {
        const { pages } = await other.hosting.deployPreview({
          ...begun,
          site,
          taskId,
          commit,
          retainedBy: taskId,
          pages: pagesOf(['new.html']),
        });
        expect(await open(host, pages[0]?.url ?? '')).to.include({ status: 200, text: 'new' });
      } finally {
        await other.close();
      }
    });

    it('serves only the folder of the pages', async () => {
      host.team.push({ 'public/index.html': 'inside', 'outside.html': 'outside' });
      const repository = { url: host.team.url, branch: 'main', root: 'public' };
      const inner = await host.sites.create({
        ...site,
        siteId: undefined,
        name: 'Inner',
        repository,
      });
      await host.hosting.ensureLive(inner);
      const at = (path: string) =>
        request(host.port, path, [['Host', `${inner.label}.sites.localhost`]]);
      expect(await at('/')).to.include({ status: 200, text: 'inside' });
      for (const path of ['/outside', '/public/', '/%2e%2e/outside', '/../outside'])
        expect((await at(path)).status, path).to.be.within(400, 404);
    });

    it('fails for a commit that does not exist, and makes nothing visible', async () => {
      const taskId = 'bg-nowhere';
      const failure = await failureOf(
        host.hosting.deployPreview({
          ...begun,
          site,
          taskId,
          commit: 'a'.repeat(40),
          retainedBy: taskId,
          pages: [],
        }),
      );
      expect(failure).to.include({ code: 'GIT_FAILED' });
      expect(await host.deployments.preview(taskId)).to.equal(null);
    });
  });

  describe('deployProduction', () => {
    beforeEach(start);
    afterEach(close);

    it('makes the published commit the live one', async () => {
      const { taskId, commit } = await publish({ 'new.html': 'new' });
      expect((await host.live('/new')).status).to.equal(404);
      const { pages } = await host.hosting.deployProduction({
        ...went,
        site,
        taskId,
        commit,
        pages: pagesOf(['new.html']),
      });
      expect(pages).to.deep.equal([
        { slug: '/new', url: `http://${site.label}.sites.localhost:${host.port}/new` },
      ]);
      expect(await open(host, pages[0]?.url ?? '')).to.include({ status: 200, text: 'new' });
      expect(await host.deployments.live(site.siteId)).to.include({ commit, taskId });
    });

    it('can be repeated, also after a later commit went live', async () => {
      const first = await publish({ 'first.html': '1' });
      const second = await publish({ 'second.html': '2' });
      const deploy = ({ taskId, commit }: typeof first) =>
        host.hosting.deployProduction({
          ...went,
          site,
          taskId,
          commit,
          pages: pagesOf(['first.html']),
        });
      const urls = await deploy(second);
      expect(await deploy(first)).to.deep.equal(urls);
      expect(await deploy(second)).to.deep.equal(urls);
      expect(await live()).to.equal(second.commit);
      expect((await host.live('/first')).text).to.equal('1');
    });

    it('rejects a commit that does not build on the live one', async () => {
      const before = await live();
      const a = await commitTask(host, { 'a.html': 'a' });
      const b = await commitTask(host, { 'b.html': 'b' });
      await host.hosting.deployProduction({ ...went, site, ...a, pages: [] });
      const failure = await failureOf(
        host.hosting.deployProduction({ ...went, site, ...b, pages: [] }),
      );
      expect(failure).to.include({ code: 'DEPLOYMENT_FAILED', retryable: false });
      expect(failure?.message)
        .to.contain(a.commit.slice(0, 10))
        .and.to.contain(b.commit.slice(0, 10));
      expect(await live())
        .to.equal(a.commit)
        .and.not.to.equal(before);
    });

    it('makes everything live when four tasks deploy at the same time, in any order', async () => {
      const published: Awaited<ReturnType<typeof publish>>[] = [];
      for (const name of ['a', 'b', 'c', 'd'])
        published.push(await publish({ [`${name}.html`]: name }));
      const order = [2, 0, 3, 1].map((i) => published[i]).filter((one) => one !== undefined);
      await Promise.all(
        order.map(({ taskId, commit }) =>
          host.hosting.deployProduction({ ...went, site, taskId, commit, pages: [] }),
        ),
      );
      expect(await live()).to.equal(host.team.head());
      for (const name of ['a', 'b', 'c', 'd'])
        expect((await host.live(`/${name}`)).text).to.equal(name);
    });
  });
});

describe('a live commit that the team removed from the history', () => {
  let host: Host;
  beforeEach(async () => {
    host = await startHost();
    host.team.push({ 'index.html': 'home' });
    await host.hosting.ensureLive(host.site);
  });
  afterEach(() => host.close());

  /**
   * A force-push of another history, its fetch, and the loss of every commit that nothing holds.
   */
  async function rewrite() {
    const { clone, remote } = host.team;
    git(clone, 'checkout', '-q', '--orphan', 'rewritten');
    git(clone, 'rm', '-r', '-f', '-q', '.');
    git(clone, 'commit', '-q', '--allow-empty', '-m', 'rewritten');
    git(clone, 'push', '-q', '--force', 'origin', 'HEAD:main');
    await host.repository.fetchHead();
    const ours = host.team.copyOf(host.site.siteId, 'service');
    for (const repository of [remote, ours]) git(repository, 'gc', '-q', '--prune=now');
    return ours;
  }

  it('is still shown, if it came with a task and a merge', async () => {
    const { taskId, base, commit } = await commitTask(host, { 'new.html': 'new' });
    host.team.push({ 'meanwhile.html': 'meanwhile' });
    const merged = await host.repository.publish(publication(taskId, base, commit));
    const site = host.site;
    await host.hosting.deployProduction({
      ...went,
      site,
      taskId,
      commit: merged,
      pages: pagesOf(['new.html']),
    });
    await rewrite();
    expect(await host.deployments.live(site.siteId)).to.include({ commit: merged });
    for (const [path, text] of Object.entries({
      '/new': 'new',
      '/meanwhile': 'meanwhile',
      '/': 'home',
    }))
      expect(await host.live(path), path).to.include({ status: 200, text });
  });

  /** What a process that never had the site shows: the path's text in its live commit. */
  async function shownElsewhere(path: string) {
    const { repositories, close } = host.hostingElsewhere();
    try {
      const { commit } = (await host.deployments.live(host.site.siteId))!;
      return await (
        await openRepository(repositories, host.site).tree({ commit, retainedBy: null })
      ).read(path);
    } finally {
      await close();
    }
  }
  const publishPage = async (file: string) => {
    const { taskId, base, commit } = await commitTask(host, { [file]: file });
    const published = await host.repository.publish(publication(taskId, base, commit));
    const { site } = host;
    await host.hosting.deployProduction({
      ...went,
      site,
      taskId,
      commit: published,
      pages: pagesOf([file]),
    });
    return published;
  };

  it('is found by another process, if it came with tasks', async () => {
    await publishPage('one.html');
    host.team.push({ 'meanwhile.html': 'meanwhile' });
    await publishPage('two.html');
    await rewrite();
    expect(await shownElsewhere('two.html')).to.equal('two.html');
    expect(await shownElsewhere('meanwhile.html')).to.equal('meanwhile');
  });

  it('yields to what an operator puts live, which is found after the next force-push', async () => {
    await publishPage('one.html');
    await rewrite();
    host.team.push({ 'new.html': 'new' });
    await host.hosting.deployHead(host.site);
    await publishPage('three.html');
    git(host.team.clone, 'checkout', '-q', '--orphan', 'again');
    git(host.team.clone, 'commit', '-q', '--allow-empty', '-m', 'again');
    git(host.team.clone, 'push', '-q', '--force', 'origin', 'HEAD:main');
    git(host.team.remote, 'gc', '-q', '--prune=now');
    expect(await shownElsewhere('new.html')).to.equal('new');
    expect(await shownElsewhere('three.html')).to.equal('three.html');
  });
});
