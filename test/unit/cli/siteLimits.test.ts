import { writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataCommands, createCommandRunner } from '../../../src/cli/commands.ts';
import { createSiteHosting } from '../../../src/hosting/hosting.ts';
import { createSiteHosts } from '../../../src/hosting/hosts.ts';
import { createKeys } from '../../../src/organizations/apiKeys.ts';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { createSites } from '../../../src/organizations/sites.ts';
import { createRepositories } from '../../../src/sites/git/repositories.ts';
import { checkRepositoryUrl } from '../../../src/sites/git/remote/repositoryUrl.ts';
import { countPages } from '../../../src/sites/pages/listing/countPages.ts';
import { createDeployments } from '../../../src/storage/deployments.ts';
import { testDatabase } from '../../helpers/database.ts';
import { testLauncher } from '../../helpers/launcher.ts';
import { RawRepository } from '../sites/git/rawRepository.ts';
import { failureOf, git, Workplace } from '../../helpers/team/workplace.ts';
import { threadPages as pages } from '../../helpers/threads.ts';
import { forbiddenNameError, tooManyPaths } from '../../../src/sites/git/trees/treeListing.ts';
import { sitemapTooLargeError } from '../../../src/sites/pages/sitemap/deriveSitemap.ts';
import { organizationTooLarge } from '../../../src/sites/git/clones/cloneSizes.ts';
import { limits } from '../../../src/contract/task.ts';
import type { DomainError } from '../../../src/errors.ts';

const MIB = 1024 ** 2;

describe('site create for a repository over a limit', function () {
  this.timeout(180_000);
  let place: Workplace;
  beforeEach(() => {
    place = new Workplace();
  });
  afterEach(() => place.remove());

  async function start(organizationBytes: number) {
    const db = await testDatabase();
    const [sites, deployments] = [createSites(db), createDeployments(db)];
    const dataDir = join(place.folder, 'data');
    const repositories = createRepositories({
      dataDir,
      launcher: testLauncher,
      organizationBytes,
      sitesOf: (owner) => sites.idsOf(owner),
    });
    const publicUrl = () => new URL('http://localhost');
    const domains = { sitesDomain: 'sites.localhost', previewDomain: 'preview.localhost' };
    const hosting = createSiteHosting({
      repositories,
      deployments,
      hosts: createSiteHosts({ publicUrl, ...domains }),
    });
    const run = createCommandRunner(dataCommands, {
      organizations: createOrganizations(db),
      keys: createKeys(db),
      sites,
      secretStores: [],
      repositories,
      createSignInLink: () => Promise.reject(new Error('No people here')),
      checkRepositoryUrl: (url) => checkRepositoryUrl(url, { allowLocal: true }),
      countPages: (site) => countPages(repositories, pages, site),
      ensureLive: (site) => hosting.ensureLive(site),
      deployHead: (site) => hosting.deployHead(site),
    });
    const { organizationId } = (await run('organization create', { name: 'Acme' })) as {
      organizationId: string;
    };
    const create = (repository: string) =>
      run('site create', { organization: organizationId, name: 'Site', repository });
    const registered = () => sites.idsOf(organizationId);
    return { create, registered, close: () => repositories.close() };
  }

  const copies = async () =>
    (await readdir(join(place.folder, 'data/repositories'))).filter((name) => name !== 'tmp');

  const refused: [string, (raw: RawRepository) => Buffer, DomainError][] = [
    [
      '6,000 top folders that share one chain of 900',
      (raw) => {
        const shared = raw.chain(900);
        return raw.tree(
          ...Array.from(
            { length: 6_000 },
            (_, i) => ['40000', String(i).padStart(4, '0'), shared] as const,
          ),
        );
      },
      tooManyPaths(limits),
    ],
    ['a folder `..`', (raw) => raw.tree(['40000', '..', raw.chain(0)]), forbiddenNameError('..')],
    [
      'a sitemap of 20 MB',
      (raw) => raw.tree(['100644', 'sitemap.xml', raw.blob(' '.repeat(20_000_001))]),
      sitemapTooLargeError('sitemap.xml', 20_000_001),
    ],
    [
      'more bytes than its organization may have',
      (raw) => raw.tree(['100644', 'noise', raw.blob(noise(12 * MIB))]),
      organizationTooLarge(5 * MIB),
    ],
  ];
  const noise = (length: number) =>
    Array.from({ length: length / 8 }, () => Math.random().toString(36).slice(2, 10)).join('');

  for (const [what, build, { code, message }] of refused)
    it(`reports the limit, and leaves nothing: ${what}`, async () => {
      const { create, registered, close } = await start(5 * MIB);
      const raw = new RawRepository();
      raw.write(place.remote, raw.commit(build(raw)));
      const error = await failureOf(create(place.remote));
      expect(error).to.include({ code, message, retryable: false });
      expect(await registered()).to.deep.equal([]);
      expect(await copies()).to.deep.equal([]);
      expect(await readdir(join(place.folder, 'data/repositories/tmp'))).to.deep.equal([]);
      expect(git(place.remote, 'for-each-ref', '--format=%(refname)')).to.equal('refs/heads/main');
      await close();
    });

  it('returns warnings about pages that the service understands only in part', async () => {
    const { create, close } = await start(5 * MIB);
    place.push({ 'index.html': '---\ntitle: Home\n---\n<h1>Home</h1>' });
    const site = (await create(place.remote)) as { warnings: { code: string }[] };
    expect(site.warnings.map(({ code }) => code)).to.deep.equal(['partly-read']);
    await close();
  });

  it("counts the organization's existing sites", async () => {
    const { create, registered, close } = await start(5 * MIB);
    writeFileSync(join(place.clone, 'noise.txt'), noise(4 * MIB));
    place.push({ 'index.html': 'home' });
    await create(place.remote);
    const { message } = organizationTooLarge(5 * MIB);
    expect((await failureOf(create(place.remote)))?.message).to.equal(message);
    expect(await registered()).to.have.length(1);
    expect(await copies()).to.have.length(1);
    await close();
  });
});
