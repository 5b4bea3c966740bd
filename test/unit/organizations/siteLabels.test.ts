import { expect } from 'chai';
import type { Kysely } from 'kysely';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { createSites, type Sites } from '../../../src/organizations/sites.ts';
import type { Schema } from '../../../src/storage/schema.ts';
import { atTime } from '../../helpers/atTime.ts';
import { testDatabase } from '../../helpers/database.ts';
import { failureOf } from '../../helpers/team/workplace.ts';

const DAY_MS = 86_400_000;

describe('the host label of a removed site', () => {
  let db: Kysely<Schema>;
  let at: number;
  let sites: Sites;
  let own: string;
  let others: string[];
  let names = 0;
  let name: string;

  beforeEach(async () => {
    db = await testDatabase();
    at = Date.now();
    sites = atTime(() => at, createSites(db));
    const ids = ['Own', 'Other', 'Third'].map(
      async (each) => (await createOrganizations(db).create({ name: each })).organizationId,
    );
    [own = '', ...others] = await Promise.all(ids);
    name = `Kept ${process.pid} ${++names}`;
  });
  const create = (organizationId: string) =>
    sites.create({ organizationId, name, repository: null });
  /** A site that was there, and its label. */
  const removed = async (organizationId = own) => {
    const { siteId, label } = await create(organizationId);
    await sites.remove(siteId);
    return label;
  };

  it('is reserved for its organization for over a year, and can be used by it at once', async () => {
    const label = await removed();
    expect(await sites.isKeptLabel(label.toUpperCase())).to.equal(true);
    for (const days of [0, 1, 364, 399]) {
      at = Date.now() + days * DAY_MS;
      const site = await create(others[0]!);
      expect(site.label, `after ${days} days`).to.not.equal(label);
      await sites.undo(site.siteId);
    }
    at = Date.now();
    expect((await create(own)).label).to.equal(label);
    expect(await sites.isKeptLabel(label)).to.equal(false);
  });

  it('is free afterwards, and then reserved for its last owner', async () => {
    const label = await removed();
    at += 401 * DAY_MS;
    expect(await sites.isKeptLabel(label)).to.equal(false);
    expect(await removed(others[0])).to.equal(label);
    expect((await create(own)).label).to.not.equal(label);
    expect((await create(others[0]!)).label).to.equal(label);
  });

  it('goes to one of two organizations that request it at once when it is free', async () => {
    const label = await removed();
    at += 401 * DAY_MS;
    const made = await Promise.all(others.map(create));
    expect(made.filter((site) => site.label === label)).to.have.length(1);
  });

  it('goes to no other organization that waits for it while it is freed', async () => {
    for (let round = 0; round < 20; round++) {
      name = `Raced ${process.pid} ${++names}`;
      const { siteId, label } = await create(own);
      const [, ...made] = await Promise.all([sites.remove(siteId), ...others.map(create)]);
      expect(made.map((site) => site.label)).to.not.include(label);
    }
  });

  describe('of an organization that may have three', () => {
    beforeEach(() => {
      sites = atTime(() => at, createSites(db, { most: 3 }));
    });
    function expectConflict(error: unknown): void {
      expect(error).to.include({ code: 'CONFLICT' });
      expect((error as Error).message).to.match(/\b3 sites\b.*\b400 days\b/);
    }

    it('counts, so that nobody takes many names by removing sites', async () => {
      for (let i = 0; i < 3; i++) {
        name = `Squat ${process.pid} ${++names}`;
        await removed();
      }
      const label = name;
      name = `Squat ${process.pid} ${++names}`;
      expectConflict(await failureOf(create(own)));
      expect(await sites.idsOf(own)).to.deep.equal([]);
      expect((await create(others[0]!)).name).to.equal(name);
      name = label; // its own name again is no new one
      expect((await create(own)).name).to.equal(label);
      at += 401 * DAY_MS;
      name = `Squat ${process.pid} ${++names}`;
      expect((await create(own)).name).to.equal(name);
    });

    it('keeps the number if many sites are created at once', async () => {
      const results = await Promise.allSettled(Array.from({ length: 8 }, () => create(own)));
      expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(3);
      for (const result of results) if (result.status === 'rejected') expectConflict(result.reason);
      expect(await sites.idsOf(own)).to.have.length(3);
    });
  });
});
