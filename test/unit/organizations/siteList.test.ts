import { expect } from 'chai';
import type { Kysely } from 'kysely';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import {
  createSiteList,
  type ListedSite,
  type SitePosition,
} from '../../../src/organizations/siteList.ts';
import { createSites, type Sites } from '../../../src/organizations/sites.ts';
import { createDeployments, type Deployments } from '../../../src/storage/deployments.ts';
import type { Schema } from '../../../src/storage/schema.ts';
import { testDatabase } from '../../helpers/database.ts';
import { going } from '../../helpers/deployed.ts';

const [one, two] = ['1'.repeat(40), '2'.repeat(40)];

describe('createSiteList(db)', () => {
  let db: Kysely<Schema>;
  let sites: Sites;
  let deployments: Deployments;
  let organizationId: string;
  let otherId: string;

  beforeEach(async () => {
    db = await testDatabase();
    [sites, deployments] = [createSites(db), createDeployments(db)];
    ({ organizationId } = await createOrganizations(db).create({ name: 'Listed' }));
    ({ organizationId: otherId } = await createOrganizations(db).create({ name: 'Others' }));
  });

  const create = (name: string, owner = organizationId) =>
    sites.create({ organizationId: owner, name, repository: null });
  const list = (part: { after?: SitePosition; limit?: number } = {}, owner = organizationId) =>
    createSiteList(db).list(owner, { limit: 100, ...part });
  const deploymentOf = async (siteId: string) => {
    const { sites } = await list();
    const { isLive, deployment } = sites.find((site) => site.siteId === siteId)!;
    return [isLive, deployment?.state, deployment?.commit, deployment?.taskId];
  };

  it("lists only an organization's own sites by name, without removed ones", async () => {
    const [b, a, gone] = [await create('Bakery'), await create('Atelier'), await create('Gone')];
    const foreign = await create('Cafe', otherId);
    await sites.remove(gone.siteId);
    const { sites: own, more } = await list();
    expect(own.map(({ siteId, name, label }) => [siteId, name, label])).to.deep.equal(
      [a, b].map(({ siteId, name, label }) => [siteId, name, label]),
    );
    expect(more).to.equal(false);
    expect((await list({}, otherId)).sites.map(({ siteId }) => siteId)).to.deep.equal([
      foreign.siteId,
    ]);
  });

  it('continues behind any site, also one with the same name or a removed one', async () => {
    const made = [];
    for (const name of ['Same', 'Same', 'Same', "O'Neill \\ Söhne", ''])
      made.push(await create(name));
    const found: ListedSite[] = [];
    for (let after: SitePosition | undefined; ;) {
      const { sites: part, more } = await list({ limit: 2, ...(after && { after }) });
      found.push(...part);
      const last = part.at(-1)!;
      after = [last.name, last.siteId];
      await sites.remove(last.siteId);
      if (!more) break;
    }
    expect(found.map(({ siteId }) => siteId)).to.have.members(made.map(({ siteId }) => siteId));
  });

  it('returns the live commit, its task, and whether the last deployment failed', async () => {
    const { siteId } = await create('Deployed');
    expect(await deploymentOf(siteId)).to.deep.equal([false, undefined, undefined, undefined]);
    await deployments.setLive({ ...going, siteId, commit: one, taskId: null, expected: null });
    expect(await deploymentOf(siteId)).to.deep.equal([true, 'live', one, null]);
    await pause();
    await deployments.setFailed({ siteId, commit: two, taskId: 'bg-failed' });
    expect(await deploymentOf(siteId)).to.deep.equal([true, 'failed', two, 'bg-failed']);
    await pause();
    await deployments.setLive({ ...going, siteId, commit: two, taskId: 'bg-later', expected: one });
    expect(await deploymentOf(siteId)).to.deep.equal([true, 'live', two, 'bg-later']);
    await pause();
    await deployments.setFailed({ siteId, commit: one, taskId: 'bg-again' });
    expect(await deploymentOf(siteId)).to.deep.equal([true, 'failed', one, 'bg-again']);
  });

  /** Until the clock shows another millisecond. */
  async function pause() {
    for (const from = Date.now(); Date.now() === from;)
      await new Promise((resolve) => setImmediate(resolve));
  }
});
