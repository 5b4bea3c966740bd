// Takes long: it starts Gitea, builds sites with Eleventy, and starts a service after each kill.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
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
import { demoPages } from '../helpers/team/site.ts';
import { until } from '../helpers/until.ts';

/** The pages of a site; Eleventy leaves their addresses as they are. */
const files = Object.fromEntries(
  readdirSync(demoPages, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html'))
    .map((path) => [path, readFileSync(join(demoPages, path), 'utf8')]),
);

/** `look`: while the host builds. */
const moments: [behind: string, city: string][] = [
  ['deployPreview', 'Oslo'],
  ['look', 'Bergen'],
  ['publish', 'Narva'],
  ['mergePullRequest', 'Turku'],
  ['deployProduction', 'Espoo'],
];

interface Pull {
  head: { ref: string };
  merged: boolean;
}

describe('a task in flight on a site with a host of its own', function () {
  this.timeout(300_000);
  const folder = temporaryFolder();
  let authority: Authority;
  let gitea: Gitea;
  let owner: GiteaUser;
  let service: Service;
  let repository: GiteaRepository;
  let box: HostInBox;
  let siteId: string;

  before(async function () {
    this.timeout(3_600_000); // the first run builds Gitea
    needProgram(this, 'Gitea');
    authority = await createAuthority();
    writeFileSync(join(folder.path, 'authority.pem'), authority.ca);
    gitea = await startGitea(authority);
    owner = await gitea.createUser();
    repository = await gitea.createRepository(owner, files);
    box = await startHostInBox(gitea, repository, authority);
    await start();
    siteId = await connect();
  });
  after(async function () {
    await endServices(this.currentTest);
    await box?.close();
    await gitea?.close();
    folder.remove();
  });

  const start = async () =>
    (service = await startService({
      dataDir: join(folder.path, 'data'),
      env: {
        CALLBACK_ALLOW_PRIVATE: 'true',
        NODE_EXTRA_CA_CERTS: join(folder.path, 'authority.pem'),
      },
    }));

  async function connect(): Promise<string> {
    const admin = ['--organization', service.demo.organizationId, '--role', 'admin'];
    const { apiKey } = await answerOf(service.dataDir, 'key', 'create', ...admin, '--name', 'a');
    const authorization = `Bearer ${String(apiKey)}`;
    const scopes = ['write:repository', 'write:issue', 'read:user'];
    const token = await gitea.createToken(owner, scopes);
    const { status, text, json } = await service.request('POST', '/api/v1/sites', {
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'Site',
        repository: { url: repository.url, credential: { type: 'token', token } },
        host: {
          type: 'own',
          forge: 'gitea',
          hosts: box.hosts,
          publish: 'pull-request',
          merge: 'automatic',
        },
      }),
    });
    expect(status, text).to.equal(201);
    return (json as { siteId: string }).siteId;
  }

  const api = async <Body>(route: string) => (await gitea.ask<Body>(owner.token, route)).body;
  const pageAt = async (url: string) => {
    const dispatcher = new Agent({ connect: { ca: authority.ca } });
    return (await fetch(url, { dispatcher })).text();
  };

  for (const [behind, city] of moments)
    it(`goes on after kill -9 of the service behind ${behind}: one branch, one pull request, one merge`, async () => {
      const slug = `/locations/${city.toLowerCase()}`;
      const taskId = await service.createTask({
        siteId,
        command: 'generate_pages',
        templatePageSlug: '/locations/austin',
        items: [{ targetPageSlug: slug, context: `City: ${city}` }],
        publish: true,
      });
      const { promise: built, resolve: build } = Promise.withResolvers<void>();
      if (behind === 'look') box.behave(taskId, { after: built });
      const seen = (line: { taskId?: unknown; activity?: unknown; msg?: unknown }) =>
        line.taskId === taskId && line.activity === behind;
      await until(`${behind} of the task`, () => service.launched.lines().some(seen));
      await service.kill();
      build();
      await start();

      const task = await service.waitForTask(taskId, 240_000);
      expect(task.status, JSON.stringify(task)).to.equal('completed');
      const { output } = task as unknown as {
        output: { pagesCreated: { publishedUrl: string; previewUrl: string }[] };
      };
      const [page] = output.pagesCreated;
      expect(page).to.deep.include({
        previewUrl: `${box.previewUrl(taskId)}${slug}`,
        publishedUrl: `${box.productionUrl}${slug}`,
      });
      expect(await pageAt(page!.publishedUrl)).to.include(city);
      const pulls = await api<Pull[]>(`GET /repos/${repository.path}/pulls?state=all`);
      const own = pulls.filter(({ head }) => head.ref === taskId || head.ref.includes(taskId));
      expect(own.map(({ merged }) => merged)).to.deep.equal([true]);
      const commits = await api<{ commit: { message: string }; parents: object[] }[]>(
        `GET /repos/${repository.path}/commits?sha=main&path=locations/${city.toLowerCase()}.html`,
      );
      expect(commits.filter(({ parents }) => parents.length === 1)).to.have.length(1);
    });
});
