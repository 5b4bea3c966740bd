import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { ExternalHost } from '../../../src/contract/site.ts';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { createSites, type Sites } from '../../../src/organizations/sites.ts';
import { createDeployments } from '../../../src/storage/deployments.ts';
import { testDatabase } from '../../helpers/database.ts';
import { going } from '../../helpers/deployed.ts';

const repository = { url: 'https://git.example/acme/site.git', branch: 'main', root: 'public' };

describe('createSites(db)', () => {
  let sites: Sites;
  let organizationId: string;
  let otherId: string;

  beforeEach(async () => {
    const db = await testDatabase();
    sites = createSites(db);
    ({ organizationId } = await createOrganizations(db).create({ name: 'Sites' }));
    ({ organizationId: otherId } = await createOrganizations(db).create({ name: 'Others' }));
  });

  const create = (name: string) => sites.create({ organizationId, name, repository });

  it('stores all given fields, with an author if none was given', async () => {
    const author = { name: 'Ann', email: 'ann@acme.example' };
    const siteId = randomUUID();
    const site = await sites.create({ siteId, organizationId, name: 'Given', repository, author });
    expect(site).to.deep.include({ siteId, organizationId, name: 'Given', repository, author });
    expect(await sites.get(siteId)).to.deep.equal(site);
    expect((await create('Default')).author).to.have.keys('name', 'email');
  });

  it('keeps an external host through changes of the repository, until it is removed', async () => {
    const ownHost: ExternalHost = {
      forge: 'gitea',
      apiUrl: 'https://git.example/api/v1',
      project: 'acme/site',
      publish: 'pull-request',
      merge: 'by-people',
      previewReports: ['Preview – site'],
      liveReports: [],
      reporter: null,
      hosts: ['*.pages.example'],
      previewUrl: 'https://{branch}.pages.example/',
      liveUrl: null,
      pageUrls: [],
      bypass: { header: 'x-bypass', credentialId: randomUUID() },
      webhook: { credentialId: randomUUID() },
      buildMinutes: 10,
      hasPreviews: true,
      publishWindow: 20,
    };
    const made = await sites.create({ organizationId, name: 'Own host', repository, ownHost });
    expect(made).to.deep.include({ host: 'own', ownHost });
    await sites.setRepository(made.siteId, { ...repository, branch: 'next' });
    expect(await sites.find(organizationId, made.siteId)).to.deep.include({ host: 'own', ownHost });
    await sites.setRepository(made.siteId, repository, {
      ownHost: { ...ownHost, buildMinutes: 5 },
    });
    expect((await sites.get(made.siteId)).ownHost?.buildMinutes).to.equal(5);
    await sites.setRepository(made.siteId, repository, { ownHost: null });
    expect(await sites.get(made.siteId))
      .to.include({ host: 'embedded', hadOwnHost: true })
      .and.not.have.key('ownHost');
  });

  it("finds only an organization's own sites", async () => {
    const site = await create('Own');
    expect(await sites.find(organizationId, site.siteId)).to.deep.equal(site);
    expect(await sites.find(organizationId, site.siteId.toUpperCase())).to.deep.equal(site);
    expect(await sites.find(otherId, site.siteId)).to.equal(null);
    expect(await sites.list(otherId)).to.deep.equal([]);
    expect(await sites.list(organizationId)).to.deep.equal([site]);
    expect(await sites.list()).to.deep.include(site);
  });

  for (const id of [randomUUID(), '', 'x', '{00000000-0000-0000-0000-000000000000}', "'; --"])
    it(`finds no site by ${JSON.stringify(id)}`, async () => {
      expect(await sites.find(organizationId, id)).to.equal(null);
      expect(await sites.get(id).catch((error: unknown) => error)).to.include({
        code: 'NOT_FOUND',
      });
    });

  it('gives sites with one name their own labels, also if they are created at the same time', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => create('Twelve alike')));
    expect(new Set(made.map(({ label }) => label))).to.have.property('size', 12);
    for (const site of made) expect(await sites.findByLabel(site.label)).to.deep.equal(site);
  });

  it('removes a site from the register with its deployments', async () => {
    const deployments = createDeployments(await testDatabase());
    const { siteId } = await create('Removed');
    await deployments.setLive({
      ...going,
      siteId,
      commit: 'c'.repeat(40),
      taskId: null,
      expected: null,
    });
    await sites.remove(siteId);
    expect(await sites.find(organizationId, siteId)).to.equal(null);
    expect(await deployments.live(siteId)).to.equal(null);
  });
});
