// Takes long: it starts Gitea and a service of its own, and builds sites with Eleventy.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Agent, fetch } from 'undici';
import { type Authority, createAuthority } from '../helpers/certificates.ts';
import { temporaryFolder } from '../helpers/database.ts';
import type { GiteaRepository, GiteaUser } from '../helpers/gitea/client.ts';
import { type Gitea, startGitea } from '../helpers/gitea/gitea.ts';
import { type HostInBox, startHostInBox } from '../helpers/hostInBox/hostInBox.ts';
import { answerOf } from '../helpers/operator.ts';
import { needProgram } from '../helpers/programs.ts';
import { endServices, type Service, startService } from '../helpers/service.ts';
import { filesWith } from '../helpers/team/privateRepository.ts';
import { pagesIn, smallPages } from '../helpers/team/site.ts';
import { outputOf } from '../helpers/views.ts';

/** The pages of a site that Eleventy makes; it leaves their addresses as they are. */
const files = {
  '.eleventy.js': 'export default () => ({});\n',
  'package.json': '{ "type": "module" }\n',
  ...pagesIn(smallPages),
};

/**
 * A site in Markdown that Eleventy makes. The URLs of its notes are template code, and those of its
 * shops follow from data in JSON. It makes a page of each city in a data file.
 */
const markdownFiles = {
  '.eleventy.js': "export default () => ({ dir: { input: 'src' } });\n",
  'package.json': '{ "type": "module" }\n',
  'src/content/shops/shops.json': '{ "permalink": "/shops/{{ page.fileSlug }}/" }\n',
  'src/content/shops/austin.md': '---\ntitle: Austin\n---\n\n# Web design in Austin\n',
  'src/content/notes/notes.11tydata.js':
    'export default { permalink: ({ page }) => `/n/${page.fileSlug}/` };\n',
  'src/content/notes/austin.md': '---\ntitle: Note\n---\n\n# Our note from Austin\n',
  'src/_data/cities.json': `${JSON.stringify(
    ['Berlin', 'Paris'].map((city) => ({
      slug: city.toLowerCase(),
      title: `Web design in ${city}`,
      intro: `We design and build shops in ${city}.`,
    })),
    null,
    2,
  )}\n`,
  'src/cities.njk':
    '---\npagination:\n  data: cities\n  size: 1\n  alias: city\n  addAllPagesToCollections: true\npermalink: "/cities/{{ city.slug }}/"\n---\n<h1>{{ city.title }}</h1><p>{{ city.intro }}</p>\n',
  'src/sitemap.njk':
    '---\npermalink: /sitemap.xml\n---\n<urlset>{% for one in collections.all %}<url><loc>https://www.acme.example{{ one.url }}</loc></url>{% endfor %}</urlset>\n',
};

describe('a site with an external host', function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  let authority: Authority;
  let gitea: Gitea;
  let owner: GiteaUser;
  let service: Service;
  let headers: Record<string, string>;
  const boxes: HostInBox[] = [];

  before(async function () {
    this.timeout(3_600_000); // the first run builds Gitea
    needProgram(this, 'Gitea');
    authority = await createAuthority();
    const certificates = join(folder.path, 'authority.pem');
    writeFileSync(certificates, authority.ca);
    gitea = await startGitea(authority);
    owner = await gitea.createUser();
    service = await startService({
      env: { CALLBACK_ALLOW_PRIVATE: 'true', NODE_EXTRA_CA_CERTS: certificates },
    });
    const admin = ['--organization', service.demo.organizationId, '--role', 'admin'];
    const { apiKey } = await answerOf(service.dataDir, 'key', 'create', ...admin, '--name', 'a');
    headers = { authorization: `Bearer ${String(apiKey)}`, 'content-type': 'application/json' };
  });
  after(async function () {
    await endServices(this.currentTest);
    await Promise.all(boxes.map((box) => box.close()));
    await gitea?.close();
    folder.remove();
  });

  const ask = (method: string, path: string, body?: object) =>
    service.request(method, `/api/v1${path}`, {
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });

  interface Connected {
    siteId: string;
    webhookSecret: string;
    token: string;
    repository: GiteaRepository;
    box: HostInBox;
  }

  /** A private repository with a host, and the site of it. */
  async function connect(settings: object, siteFiles = files): Promise<Connected> {
    const repository = await gitea.createRepository(owner, siteFiles);
    const box = await startHostInBox(gitea, repository, authority);
    boxes.push(box);
    const scopes = ['write:repository', 'write:issue', 'read:user'];
    const token = await gitea.createToken(owner, scopes);
    const { status, text, json } = await ask('POST', '/sites', {
      name: repository.path.split('/')[1]!,
      repository: { url: repository.url, credential: { type: 'token', token } },
      host: { type: 'own', forge: 'gitea', hosts: box.hosts, ...settings },
    });
    expect(status, text).to.equal(201);
    const { siteId, webhookSecret, host } = json as {
      siteId: string;
      webhookSecret: string;
      host: { webhookUrl: string };
    };
    await gitea.createWebhook(repository, {
      url: host.webhookUrl.replace('localhost', '127.0.0.1'),
      secret: webhookSecret,
      events: ['push', 'pull_request', 'status'],
    });
    return { siteId, webhookSecret, token, repository, box };
  }

  const pageAt = async (url: string) => {
    const dispatcher = new Agent({ connect: { ca: authority.ca } });
    return (await fetch(url, { dispatcher })).text();
  };

  it('finds new pages in Markdown and entries of a data file, by the data of Eleventy, or by a rule that a person confirmed', async () => {
    const liveReports = ['host-in-box/production'];
    const connected = await connect(
      { publish: 'push', publishWindow: 0, liveReports },
      markdownFiles,
    );
    const { siteId, repository, box } = connected;
    const liveUrl = `${box.productionUrl}/`;
    const makePage = async (folder: string, city: string, template = 'austin') => {
      const taskId = await service.createTask({
        siteId,
        command: 'generate_pages',
        templatePageSlug: `/src/${folder}/${template}`,
        items: [
          {
            targetPageSlug: `/src/${folder}/${city.toLowerCase()}`,
            context: `City: ${city}`,
          },
        ],
        publish: true,
      });
      const task = await service.waitForTask(taskId, 240_000);
      expect(task.status, JSON.stringify(task)).to.equal('completed');
      return { taskId, text: JSON.stringify(task), page: outputOf(task).pagesCreated[0]! };
    };

    const shop = await makePage('content/shops', 'Lisbon');
    expect(shop.page.previewUrl).to.equal(`${box.previewUrl(shop.taskId)}/shops/lisbon/`);
    expect(shop.page.publishedUrl).to.equal(`${liveUrl}shops/lisbon/`);
    expect(await pageAt(shop.page.publishedUrl!)).to.include('Web design in Lisbon');

    const unknown = await makePage('content/notes', 'Porto');
    expect(unknown.page).to.include({ previewUrl: null, publishedUrl: null });
    expect(unknown.text).to.match(
      /URL of the preview of \/src\/content\/notes\/porto is not known/,
    );

    const { json } = await ask('POST', '/sites/check', {
      siteId,
      repository: { url: repository.url },
      host: { type: 'own', liveUrl },
    });
    const { warnings, unknownPageUrls } = (
      json as unknown as { host: { warnings: { code: string }[]; unknownPageUrls: object[] } }
    ).host;
    expect(warnings.map(({ code }) => code)).to.include('page-urls');
    expect(unknownPageUrls).to.deep.equal([
      {
        folder: 'src/content/notes',
        pages: 2,
        pattern: '/n/:slug/',
        example: { path: 'src/content/notes/austin.md', url: `${liveUrl}n/austin/` },
      },
      {
        folder: 'src/_data/cities.json',
        pages: 2,
        pattern: '/cities/:slug/',
        example: { path: 'src/_data/cities.json#berlin', url: `${liveUrl}cities/berlin/` },
      },
    ]);
    const pageUrls = [
      { folder: 'src/content/notes', pattern: '/n/:slug/' },
      { folder: 'src/_data/cities.json', pattern: '/cities/:slug/' },
    ];
    const changed = await ask('PATCH', `/sites/${siteId}`, {
      host: { type: 'own', liveUrl, pageUrls },
    });
    expect(changed.status, changed.text).to.equal(200);
    expect((changed.json as { host: object }).host).to.deep.include({ pageUrls });

    const note = await makePage('content/notes', 'Faro');
    expect(note.page.previewUrl).to.equal(`${box.previewUrl(note.taskId)}/n/faro/`);
    expect(note.page.publishedUrl).to.equal(`${liveUrl}n/faro/`);
    expect(await pageAt(note.page.publishedUrl!)).to.include('Our note from Faro');

    const city = await makePage('_data/cities', 'Madrid', 'berlin');
    expect(city.page.previewUrl).to.equal(`${box.previewUrl(city.taskId)}/cities/madrid/`);
    expect(city.page.publishedUrl).to.equal(`${liveUrl}cities/madrid/`);
    expect(await pageAt(city.page.publishedUrl!)).to.include('build shops in Madrid');
    const pages = await ask('GET', `/sites/${siteId}/pages`);
    expect(pages.json['pages']).to.deep.include.members(
      ['berlin', 'madrid', 'paris'].map((name) => ({
        slug: `/src/_data/cities/${name}`,
        title: `Web design in ${name.replace(/^./, (letter) => letter.toUpperCase())}`,
        template: true,
        changedAt: null,
        changedBy: null,
        taskId: null,
      })),
    );
  });

  it('shows previews of its host, and publishes through a pull request that the forge merges', async () => {
    const { siteId, webhookSecret, token, repository, box } = await connect({
      publish: 'pull-request',
      merge: 'automatic',
    });
    const items = ['Boston', 'Chicago'].map((city) => ({
      targetPageSlug: `/locations/${city.toLowerCase()}`,
      context: `City: ${city}\nHeadline: Web design in ${city}`,
    }));
    const taskId = await service.createTask({
      siteId,
      command: 'generate_pages',
      templatePageSlug: '/locations/austin',
      items,
      publish: true,
    });
    const task = await service.waitForTask(taskId, 240_000);
    expect(task.status, JSON.stringify(task)).to.equal('completed');
    const { pagesCreated, pullRequestUrl } = (
      task as unknown as {
        output: {
          pagesCreated: { slug: string; previewUrl: string; publishedUrl: string }[];
          pullRequestUrl: string;
        };
      }
    ).output;
    expect(pullRequestUrl).to.equal(`${gitea.url}/${repository.path}/pulls/1`);
    const { body: pull } = await gitea.ask(owner.token, `GET /repos/${repository.path}/pulls/1`);
    expect(pull).to.deep.include({ merged: true, state: 'closed' });
    for (const { slug, previewUrl, publishedUrl } of pagesCreated) {
      const city = slug === '/locations/boston' ? 'Boston' : 'Chicago';
      expect(previewUrl).to.equal(`${box.previewUrl(taskId)}${slug}`);
      expect(publishedUrl).to.equal(`${box.productionUrl}${slug}`);
      expect(await pageAt(previewUrl)).to.include(city);
      expect(await pageAt(publishedUrl)).to.include(city);
    }
    const checked = await ask('POST', '/sites/check', {
      repository: { url: repository.url, credential: { type: 'token', token } },
      host: { type: 'own', forge: 'gitea', publish: 'push', hosts: box.hosts },
    });
    expect(checked.json, checked.text).to.deep.include({ ok: true });
    expect((checked.json as { host: { proof: object } }).host.proof).to.include({
      name: box.contexts.production,
      url: `${box.productionUrl}/`,
      status: 200,
    });
    const answers = await Promise.all(
      [`/sites/${siteId}`, `/agent/tasks/${taskId}`, '/sites'].map(
        async (path) => (await ask('GET', path)).text,
      ),
    );
    for (const secret of [token, webhookSecret]) {
      expect(answers.join('\n'), 'answers').not.to.include(secret);
      expect(service.launched.log(), 'log').not.to.include(secret);
      expect(filesWith(service.dataDir, secret), 'files, database and histories').to.deep.equal([]);
    }
  });
});
