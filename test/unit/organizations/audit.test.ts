import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Kysely } from 'kysely';
import { type Audit, type AuditPosition, createAudit } from '../../../src/organizations/audit.ts';
import { createOrganizations } from '../../../src/organizations/organizations.ts';
import type { Schema } from '../../../src/storage/schema.ts';
import { atTime } from '../../helpers/atTime.ts';
import { testDatabase } from '../../helpers/database.ts';

const DAY = 86_400_000;
const address = '192.0.2.7';

describe('createAudit(db)', () => {
  let db: Kysely<Schema>;
  let audit: Audit;
  let organizationId: string;
  let time: number;
  beforeEach(async () => {
    db = await testDatabase();
    time = Date.parse('2030-01-01T00:00:00.000Z');
    audit = atTime(() => time, createAudit(db));
    ({ organizationId } = await createOrganizations(db).create({ name: 'Audit' }));
  });
  const all = async () => (await audit.list(organizationId, { limit: 100 })).entries;
  const only = async () => {
    const [entry, ...others] = await all();
    expect(others).to.deep.equal([]);
    return entry!;
  };

  it('records who did what, when and from which IP address', async () => {
    const keyId = randomUUID();
    await audit.record({
      organizationId,
      keyId,
      action: 'key.create',
      subject: 'CI (member)',
      address,
    });
    const { id, ...entry } = await only();
    expect(id).to.match(/^[0-9a-f-]{36}$/);
    expect(entry).to.deep.equal({
      at: '2030-01-01T00:00:00.000Z',
      userId: null,
      keyId,
      address,
      action: 'key.create',
      subject: 'CI (member)',
    });
  });

  it('records the person, not the key of the session', async () => {
    const userId = randomUUID();
    await audit.record({
      organizationId,
      userId,
      keyId: randomUUID(),
      action: 'site.update',
      address,
    });
    expect(await only()).to.include({ userId, keyId: null, subject: null });
  });

  for (const [given, kept] of [
    ['a\0b\nc', 'a b c'],
    ['\u202Eevil\u202C', 'evil'],
    ['x'.repeat(100_000), `${'x'.repeat(199)}…`],
    ['😀'.repeat(300), `${'😀'.repeat(199)}…`],
  ] as const)
    it(`keeps one short line of ${JSON.stringify(given.slice(0, 20))}`, async () => {
      await audit.record({ organizationId, action: 'site.update', subject: given, address });
      expect((await only()).subject).to.equal(kept);
    });

  for (const [given, kept] of [
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['<script>', 'unknown'],
    ['1.2.3.4, 5.6.7.8', 'unknown'],
  ] as const)
    it(`stores ${JSON.stringify(given)} as the IP address ${kept}`, async () => {
      await audit.record({ organizationId, action: 'session.create', address: given });
      expect((await only()).address).to.equal(kept);
    });

  it('lists the latest first, page by page, also within one millisecond, and of no other organization', async () => {
    const other = await createOrganizations(db).create({ name: 'Other' });
    const subjects = ['a', 'b', 'c', 'd', 'e'];
    for (const subject of subjects) {
      time += subject < 'c' ? 1 : 0;
      await audit.record({ organizationId, action: 'site.update', subject, address });
      await audit.record({ ...other, action: 'site.update', subject: 'theirs', address });
    }
    const seen: (string | null)[] = [];
    let after: AuditPosition | undefined;
    for (let more = true; more;) {
      const part = await audit.list(organizationId, { after, limit: 2 });
      seen.push(...part.entries.map(({ subject }) => subject));
      ({ more } = part);
      after = part.entries.at(-1);
    }
    expect(seen).to.have.length(5);
    expect(seen.at(-1)).to.equal('a');
    expect(seen.toSorted()).to.deep.equal(subjects);
  });

  it('keeps entries for a year', async () => {
    await audit.record({ organizationId, action: 'site.create', subject: 'old', address });
    time += DAY;
    await audit.record({ organizationId, action: 'site.create', subject: 'new', address });
    time += 364 * DAY;
    await audit.prune();
    expect((await all()).length).to.equal(2);
    time += 1;
    await audit.prune();
    expect((await only()).subject).to.equal('new');
    await audit.prune();
  });
});
