// Takes long: it starts Gitea, and builds sites with Eleventy.
import { expect } from 'chai';
import { createAuthority } from '../helpers/certificates.ts';
import type { GiteaRepository, GiteaUser } from '../helpers/gitea/client.ts';
import { type Gitea, startGitea } from '../helpers/gitea/gitea.ts';
import { type HostInBox, startHostInBox } from '../helpers/hostInBox/hostInBox.ts';
import { needProgram } from '../helpers/programs.ts';

const files = {
  '.eleventy.js': 'export default () => ({ markdownTemplateEngine: "njk" });\n',
  'package.json': '{ "type": "module" }\n',
  '_includes/page.njk':
    '<!doctype html><title>{{ title }}</title><main>{{ content | safe }}</main>\n',
  'index.md': '---\ntitle: Bread\nlayout: page.njk\n---\n# Bread\n',
};
/** A site that is served as it is: what the host does beside building. */
const plain = { 'index.html': '<!doctype html><title>Bread</title><h1>Bread</h1>' };
const page = (heading: string) => `---\ntitle: Bread\nlayout: page.njk\n---\n# ${heading}\n`;

interface Status {
  status: string;
  context: string;
  target_url: string;
}

describe('a host in a box', function () {
  this.timeout(300_000);
  let gitea: Gitea;
  let owner: GiteaUser;
  let repository: GiteaRepository;
  let host: HostInBox;

  before(async function () {
    this.timeout(3_600_000); // the first run builds Gitea
    needProgram(this, 'Gitea');
    gitea = await startGitea();
    owner = await gitea.createUser();
  });
  after(() => gitea?.close());
  afterEach(() => host.close());

  async function start(pages: Record<string, string>): Promise<void> {
    repository = await gitea.createRepository(owner, pages);
    host = await startHostInBox(gitea, repository);
  }

  /** Commits a file at the forge, on a branch that is made of the production branch. */
  async function push(branch: string, content: string, path = 'about.md'): Promise<string> {
    const file = { operation: 'create', path, content: Buffer.from(content).toString('base64') };
    const { body } = await gitea.ask<{ commit: { sha: string } }>(
      owner.token,
      `POST /repos/${repository.path}/contents`,
      { new_branch: branch, branch: 'main', message: 'Add a page', files: [file] },
    );
    return body.commit.sha;
  }

  async function statuses(commit: string): Promise<Status[]> {
    const route = `GET /repos/${repository.path}/commits/${commit}/statuses?sort=oldest`;
    return (await gitea.ask<Status[]>(owner.token, route)).body;
  }

  const seen = async (path: string, branch: string) => {
    const response = await fetch(`${host.previewUrl(branch)}${path}`);
    return { status: response.status, text: await response.text() };
  };

  it('builds a pushed branch in a sandbox, and reports its address to the forge', async () => {
    await start(files);
    const commit = await push('task', page('Two loaves'));
    expect(await host.built(commit)).to.include({ state: 'success', branch: 'task' });
    const { status, text } = await seen('/about/', 'task');
    expect([status, text]).to.deep.equal([
      200,
      '<!doctype html><title>Bread</title><main><h1>Two loaves</h1>\n</main>\n',
    ]);
    const reports = await statuses(commit);
    expect(reports.map((report) => report.status).sort()).to.deep.equal(['pending', 'success']);
    expect(reports.find((report) => report.status === 'success')).to.include({
      context: host.contexts.preview,
      target_url: `${host.previewUrl('task')}/`,
    });
  });

  it('builds the production branch at its own address', async () => {
    await start(plain);
    const commit = await push('main', 'Two loaves', 'about.html');
    await host.built(commit);
    expect(await (await fetch(`${host.productionUrl}/about`)).text()).to.equal('Two loaves');
    expect((await statuses(commit))[0]).to.include({ context: host.contexts.production });
  });

  it('reports what the generator can not build, with the address of its log', async () => {
    await start(files);
    const commit = await push('task', page('{% nonsense %}'));
    await host.built(commit);
    const failure = (await statuses(commit)).find((report) => report.status === 'failure');
    expect(await (await fetch(failure!.target_url)).text()).to.include('nonsense');
    expect((await seen('/about/', 'task')).status).to.equal(404);
  });

  it('gives code of the site no file of this machine', async () => {
    needProgram(this.ctx, 'bubblewrap');
    await start(files);
    const spy =
      'import { readFileSync } from "node:fs";\nexport default readFileSync("/etc/hostname", "utf8");\n';
    const commit = await push('task', spy, '_data/spy.js');
    expect((await host.built(commit)).log)
      .to.include('ENOENT')
      .and.include('/etc/hostname');
  });

  it('is slow, fails, keeps silent or skips a build where it is told to', async () => {
    await start(plain);
    const { promise: after, resolve: go } = Promise.withResolvers<void>();
    host.behave('slow', { after });
    host.behave('failing', { fails: true });
    host.behave('silent', { isSilent: true });
    host.behave('skipped', { skips: true });
    const slow = await push('slow', 'Slow', 'about.html');
    const failing = await push('failing', 'Failing', 'about.html');
    const silent = await push('silent', 'Silent', 'about.html');
    const skipped = await push('skipped', 'Skipped', 'about.html');

    expect(await host.built(skipped)).to.include({ state: 'skipped' });
    expect(await host.built(failing)).to.include({ state: 'failure' });
    expect(await host.built(silent)).to.include({ state: 'success' });
    expect(host.builds.find(({ commit }) => commit === slow)).to.include({ state: 'pending' });
    go();
    expect(await host.built(slow)).to.include({ state: 'success' });
    expect((await seen('/about', 'silent')).text).to.include('Silent');
    expect(await statuses(silent)).to.deep.equal([]);
    expect(await statuses(skipped)).to.deep.equal([]);
  });

  it('answers with old content first where it is told to', async () => {
    await start(plain);
    host.behave('task', { staleAnswers: 2 });
    await host.built(await push('task', 'Two loaves', 'about.html'));
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push((await seen('/about', 'task')).status);
    expect(answers).to.deep.equal([404, 404, 200]);
  });

  it('refuses pushes that the forge has not signed', async () => {
    await start(plain);
    const body = JSON.stringify({ ref: 'refs/heads/main', after: repository.commit });
    const headers = { 'x-gitea-signature': '0'.repeat(64) };
    const { status } = await fetch(host.webhookUrl, { method: 'POST', body, headers });
    expect([status, host.refused()]).to.deep.equal([401, 1]);
    expect(host.builds.filter(({ commit }) => commit === repository.commit).length).to.be.below(2);
  });
});

it('hosts in a box serve https where the forge does', async function () {
  this.timeout(300_000);
  needProgram(this, 'Gitea');
  const authority = await createAuthority();
  const gitea = await startGitea(authority);
  try {
    const owner = await gitea.createUser();
    const repository = await gitea.createRepository(owner, plain);
    const host = await startHostInBox(gitea, repository, authority);
    const { body } = await gitea.ask<{ commit: { sha: string } }>(
      owner.token,
      `POST /repos/${repository.path}/contents/about.html`,
      { message: 'Add a page', content: Buffer.from('Two loaves').toString('base64') },
    );
    expect(await host.built(body.commit.sha)).to.include({ state: 'success' });
    expect(host.productionUrl).to.match(/^https:/);
    await host.close();
  } finally {
    await gitea.close();
  }
});
