import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { createKeys, type ApiKeys } from '../../../src/organizations/apiKeys.ts';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import { createRowChanges } from '../../../src/storage/rowChanges.ts';
import type { Schema } from '../../../src/storage/schema.ts';
import { atTime } from '../../helpers/atTime.ts';
import { testDatabase } from '../../helpers/database.ts';

const MINUTE = 60_000;

const heard = () => {
  const changes = createRowChanges();
  changes.heardFor(Infinity);
  return changes;
};

for (const [name, changesOf] of [
  ['createKeys(db)', () => undefined],
  ['createKeys(db, { changes }), whose rows are kept,', heard],
] as const)
  describe(name, () => {
    let db: Kysely<Schema>;
    let keys: ApiKeys;
    let organizationId: string;
    let time: number;

    beforeEach(async () => {
      db = await testDatabase();
      time = Date.parse('2030-01-01T00:00:00.000Z');
      const changes = changesOf();
      keys = atTime(() => time, createKeys(db, { ...(changes && { changes }) }));
      ({ organizationId } = await createOrganizations(db).create({ name: 'Keys' }));
    });

    const only = async () => {
      const [key, ...others] = await keys.list(organizationId);
      expect(others).to.deep.equal([]);
      return key ?? expect.fail('no key');
    };

    it('knows the organization and role of a key that it created', async () => {
      const { keyId, apiKey } = await keys.create({ organizationId, role: 'member', name: 'CI' });
      expect(await keys.authenticate(apiKey)).to.deep.equal({
        keyId,
        organizationId,
        role: 'member',
      });
    });

    it('finds the owner of a valid key by its ID, which does not count as a use of the key', async () => {
      const { keyId } = await keys.create({
        organizationId,
        role: 'admin',
        expires: new Date(time + MINUTE),
      });
      expect(await keys.identify(keyId)).to.deep.equal({ keyId, organizationId, role: 'admin' });
      expect((await only()).lastUsedAt).to.equal(null);
      time += MINUTE;
      expect(await keys.identify(keyId)).to.equal(null);
      time -= MINUTE;
      await keys.revoke(keyId);
      for (const id of [keyId, randomUUID(), '', 'editor of x'])
        expect(await keys.identify(id)).to.equal(null);
    });

    it('rejects a malformed key without a query to the database', async () => {
      const closed = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: new pg.Pool() }) });
      await closed.destroy();
      const offline = createKeys(closed);
      for (const text of ['', 'nonsense', `ak_${'0'.repeat(46)}`, "ak_' or ''='"])
        expect(await offline.authenticate(text)).to.equal(null);
    });

    it('ends a key when it expires', async () => {
      const { apiKey } = await keys.create({
        organizationId,
        role: 'member',
        expires: new Date(time + MINUTE),
      });
      time += MINUTE - 1;
      expect(await keys.authenticate(apiKey)).not.to.equal(null);
      time += 1;
      expect(await keys.authenticate(apiKey)).to.equal(null);
      expect((await only()).expiresAt).to.equal('2030-01-01T00:01:00.000Z');
    });

    it('ends a key at once when it is revoked, and keeps the time of the first revocation', async () => {
      const { keyId, apiKey } = await keys.create({ organizationId, role: 'member' });
      const first = await keys.revoke(keyId);
      time += MINUTE;
      expect(await keys.authenticate(apiKey)).to.equal(null);
      expect(await keys.revoke(keyId)).to.deep.equal(first);
      expect(first.revokedAt).to.equal('2030-01-01T00:00:00.000Z');
    });

    it('records the last use at most once a minute', async () => {
      const { apiKey } = await keys.create({ organizationId, role: 'member' });
      expect((await only()).lastUsedAt).to.equal(null);
      const seen: (string | null)[] = [];
      for (const step of [0, MINUTE - 1, 1]) {
        time += step;
        await keys.authenticate(apiKey);
        seen.push((await only()).lastUsedAt);
      }
      expect(seen).to.deep.equal([
        '2030-01-01T00:00:00.000Z',
        '2030-01-01T00:00:00.000Z',
        '2030-01-01T00:01:00.000Z',
      ]);
    });

    it('lists the keys of one organization, or of all', async () => {
      const other = await createOrganizations(db).create({ name: 'Other' });
      const mine = await keys.create({ organizationId, role: 'viewer' });
      const theirs = await keys.create({ organizationId: other.organizationId, role: 'viewer' });
      expect((await only()).keyId).to.equal(mine.keyId);
      expect((await keys.list()).map(({ keyId }) => keyId)).to.include.members([
        mine.keyId,
        theirs.keyId,
      ]);
    });

    it('answers NOT_FOUND for an unknown organization or key', async () => {
      const attempts = [
        keys.create({ organizationId: randomUUID(), role: 'member' }),
        keys.list(randomUUID()),
        keys.revoke(randomUUID()),
        keys.revoke('no-uuid'),
      ];
      for (const result of await Promise.allSettled(attempts))
        expect(result).to.have.nested.property('reason.code', 'NOT_FOUND');
    });
  });
