import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Kysely } from 'kysely';
import { createAudit } from '../../src/organizations/audit.ts';
import { createKeys } from '../../src/organizations/apiKeys.ts';
import { createCreatorNames } from '../../src/organizations/creatorNames.ts';
import { createOrganizations } from '../../src/organizations/organizations.ts';
import { type Role, roles } from '../../src/contract/roles.ts';
import { createTeamKeys } from '../../src/organizations/teamKeys.ts';
import { createRowChanges } from '../../src/storage/rowChanges.ts';
import type { Schema } from '../../src/storage/schema.ts';
import { atTime } from '../helpers/atTime.ts';
import { bearer, fromHere, type Reply, startApi, type TestApi } from '../helpers/api.ts';
import { copyKey } from '../helpers/copyKey.ts';
import { testDatabase } from '../helpers/database.ts';

const HOUR = 3_600_000;

interface ListedKey {
  keyId: string;
  prefix: string | null;
  name: string | null;
  role: Role;
  createdBy: object | null;
  expiresAt: string | null;
  revokedAt: string | null;
}
interface Entry {
  person: object | null;
  key: object | null;
  action: string;
  subject: string | null;
  address: string;
}

describe('keys, callback secret and audit over the API', () => {
  let db: Kysely<Schema>;
  let api: TestApi;
  let keys: ReturnType<typeof createKeys>;
  let organizationId: string;
  let time: number;
  let own: Record<Role, { keyId: string; apiKey: string }>;
  const now = () => new Date(time);

  before(async () => {
    time = Date.now();
    db = await testDatabase();
    const changes = createRowChanges();
    changes.heardFor(Infinity);
    keys = atTime(now, createKeys(db, { changes }));
    api = await startApi({
      keys,
      trustProxy: fromHere,
      creators: createCreatorNames(db),
      audit: atTime(now, createAudit(db)),
      teamKeys: atTime(now, createTeamKeys(db, { onChange: () => keys.forget() })),
      organizations: atTime(now, createOrganizations(db)),
    });
  });
  after(() => api.close());
  beforeEach(async () => {
    ({ organizationId } = await createOrganizations(db).create({ name: 'Team' }));
    const make = (role: Role) => keys.create({ organizationId, role, name: role });
    const [viewer, member, admin, owner] = [
      await make('viewer'),
      await make('member'),
      await make('admin'),
      await make('owner'),
    ];
    own = { viewer, member, admin, owner };
  });

  const ask = (method: string, path: string, key: string, body?: object): Promise<Reply> =>
    api.request(method, `/api/v1${path}`, {
      headers: {
        ...bearer(key),
        ...(body && { 'Content-Type': 'application/json' }),
        'X-Forwarded-For': '192.0.2.7',
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const made = async (by: string, body: object) => {
    const { status, json } = await ask('POST', '/keys', by, body);
    expect(status).to.equal(201);
    return json as unknown as ListedKey & { apiKey: string };
  };
  const listed = async (by: string) =>
    (await ask('GET', '/keys?limit=100', by)).json['keys'] as ListedKey[];
  const audited = async () =>
    (await ask('GET', '/audit', own.admin.apiKey)).json['entries'] as Entry[];
  const isIn = async (apiKey: string) => (await ask('GET', '/keys', apiKey)).status;

  /** A person with a key that a session minted. */
  async function person(role: Role, name = 'Ada') {
    const [userId, sessionId] = [randomUUID(), randomUUID()];
    const at = { created_at: now(), updated_at: now() };
    const user = { id: userId, name, email: `${userId}@example.com`, email_verified: true };
    await db
      .insertInto('users')
      .values({ ...user, ...at })
      .execute();
    await db
      .insertInto('sessions')
      .values({
        id: sessionId,
        user_id: userId,
        token: sessionId,
        expires_at: new Date(time + HOUR),
        ...at,
      })
      .execute();
    const { keyId, apiKey } = await keys.create({ organizationId, role });
    const bound = { user_id: userId, session_id: sessionId } as object;
    await db.updateTable('api_keys').set(bound).where('id', '=', keyId).execute();
    return { userId, keyId, apiKey };
  }

  describe('POST /keys', () => {
    it('creates a working key, and shows it only once', async () => {
      const { apiKey, ...key } = await made(own.member.apiKey, { name: 'CI', role: 'member' });
      expect(await isIn(apiKey)).to.equal(200);
      expect(key).to.include({
        name: 'CI',
        role: 'member',
        prefix: apiKey.slice(0, 7),
        revokedAt: null,
      });
      expect(key.createdBy).to.deep.equal({ keyId: own.member.keyId, name: 'member' });
      const text = JSON.stringify([await listed(own.owner.apiKey), await audited()]);
      expect(text).to.contain('CI').and.not.contain(apiKey.slice(7, 14));
    });

    for (const mine of roles.slice(1))
      for (const role of roles)
        it(`lets a key with the role ${mine} create ${roles.indexOf(role) <= roles.indexOf(mine) ? '' : 'no '}keys with the role ${role}`, async () => {
          const { status } = await ask('POST', '/keys', own[mine].apiKey, { name: 'x', role });
          expect(status).to.equal(roles.indexOf(role) <= roles.indexOf(mine) ? 201 : 403);
        });

    it('ends a key when it expires', async () => {
      const expiresAt = new Date(time + HOUR).toISOString();
      const { apiKey, ...key } = await made(own.member.apiKey, {
        name: 'Short',
        role: 'member',
        expiresAt,
      });
      expect(key.expiresAt).to.equal(expiresAt);
      time += HOUR - 1;
      expect(await isIn(apiKey)).to.equal(200);
      time += 1;
      expect(await isIn(apiKey)).to.equal(401);
    });

    for (const body of [
      {},
      { name: 'x' },
      { role: 'member' },
      { name: '', role: 'member' },
      { name: ' ', role: 'member' },
      { name: 'a\nb', role: 'member' },
      { name: 'a\0b', role: 'member' },
      { name: '\ud800', role: 'member' },
      { name: 'x'.repeat(201), role: 'member' },
      { name: 'x', role: 'root' },
      { name: 'x', role: 'member', expiresAt: '2020-01-01T00:00:00Z' },
      { name: 'x', role: 'member', expiresAt: '2030-01-01' },
      { name: 'x', role: 'member', expiresAt: 'tomorrow' },
      { name: 'x', role: 'member', expiresAt: 1_900_000_000 },
      { name: 'x', role: 'member', organizationId: 'other' },
    ])
      it(`rejects ${JSON.stringify(body).slice(0, 80)}`, async () => {
        expect((await ask('POST', '/keys', own.owner.apiKey, body)).status).to.equal(400);
        expect(await audited()).to.deep.equal([]);
      });
  });

  describe('GET /keys', () => {
    it('shows members their own keys, and admins all keys of the organization, page by page', async () => {
      const child = await made(own.member.apiKey, { name: 'child', role: 'member' });
      const ids = async (key: string) => (await listed(key)).map(({ keyId }) => keyId);
      expect(await ids(own.member.apiKey)).to.have.members([own.member.keyId, child.keyId]);
      expect(await ids(child.apiKey)).to.deep.equal([child.keyId]);
      const all = [...Object.values(own).map(({ keyId }) => keyId), child.keyId];
      for (const key of [own.admin.apiKey, own.owner.apiKey])
        expect(await ids(key)).to.have.members(all);
      const parts: string[] = [];
      for (let cursor = ''; ;) {
        const { json } = await ask('GET', `/keys?limit=2${cursor}`, own.admin.apiKey);
        parts.push(...(json['keys'] as ListedKey[]).map(({ keyId }) => keyId));
        if (json['nextCursor'] === null) break;
        cursor = `&cursor=${json['nextCursor'] as string}`;
      }
      expect(parts).to.deep.equal(await ids(own.admin.apiKey));
    });

    for (const cursor of [
      'x',
      '',
      'e30',
      Buffer.from('2030-01-01T00:00:00.000Z x').toString('base64url'),
    ])
      it(`rejects the cursor ${JSON.stringify(cursor)}`, async () => {
        expect((await ask('GET', `/keys?cursor=${cursor}`, own.admin.apiKey)).status).to.equal(400);
      });
  });

  it('allows at most 100 keys for a person below admin, without counting keys of sessions and of other people', async () => {
    const { apiKey } = await person('member');
    const body = { name: 'One more', role: 'member' };
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push((await made(apiKey, body)).keyId);
    await copyKey(db, ids[2]!, 96);
    await made(apiKey, body);
    expect((await ask('POST', '/keys', apiKey, body)).status).to.equal(409);
    expect((await ask('POST', `/keys/${ids[0]}/rotate`, apiKey, {})).status).to.equal(201);
    expect((await ask('DELETE', `/keys/${ids[1]}`, apiKey)).status).to.equal(204);
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await ask('POST', '/keys', apiKey, body)).status),
    );
    expect(statuses.sort()).to.deep.equal([201, 409, 409]);
    expect((await ask('POST', '/keys', (await person('member')).apiKey, body)).status).to.equal(
      201,
    );
  });

  describe('DELETE /keys/:keyId', () => {
    it('revokes a key at once, and changes nothing the second time', async () => {
      const { keyId, apiKey } = await made(own.member.apiKey, { name: 'CI', role: 'member' });
      expect(await isIn(apiKey)).to.equal(200);
      time += 1;
      for (const status of [204, 204])
        expect((await ask('DELETE', `/keys/${keyId}`, own.member.apiKey)).status).to.equal(status);
      expect(await isIn(apiKey)).to.equal(401);
      const actions = (await audited()).map(({ action, subject }) => [action, subject]);
      expect(actions).to.deep.equal([
        ['key.revoke', 'CI (member)'],
        ['key.create', 'CI (member)'],
      ]);
    });

    it("does not let a program's key revoke a higher key of the same person", async () => {
      const { apiKey } = await person('owner');
      const above = await made(apiKey, { name: 'Deploys', role: 'admin' });
      const below = await made(apiKey, { name: 'CI', role: 'member' });
      expect((await ask('DELETE', `/keys/${above.keyId}`, below.apiKey)).status).to.equal(403);
      expect(await isIn(above.apiKey)).to.equal(200);
      expect((await ask('DELETE', `/keys/${above.keyId}`, own.admin.apiKey)).status).to.equal(204);
      expect((await ask('DELETE', `/keys/${below.keyId}`, below.apiKey)).status).to.equal(204);
    });
  });

  describe('POST /keys/:keyId/rotate', () => {
    for (const [body, hours] of [
      [undefined, 24],
      [{}, 24],
      [{ overlapHours: null }, 24],
      [{ overlapHours: 1 }, 1],
      [{ overlapHours: 0.5 }, 0.5],
      [{ overlapHours: 168 }, 168],
    ] as const)
      it(`keeps the old key for ${hours} hours after ${JSON.stringify(body)}`, async () => {
        const old = await made(own.member.apiKey, { name: 'CI', role: 'member' });
        const { status, json } = await ask(
          'POST',
          `/keys/${old.keyId}/rotate`,
          own.member.apiKey,
          body,
        );
        expect(status).to.equal(201);
        expect(json).to.include({ name: 'CI', role: 'member', expiresAt: null });
        time += hours * HOUR - 1;
        expect([await isIn(old.apiKey), await isIn(json['apiKey'] as string)]).to.deep.equal([
          200, 200,
        ]);
        time += 1;
        expect([await isIn(old.apiKey), await isIn(json['apiKey'] as string)]).to.deep.equal([
          401, 200,
        ]);
      });

    it('ends the old key at once without an overlap, and gives the new one the same lifetime', async () => {
      const expiresAt = new Date(time + 10 * HOUR).toISOString();
      const old = await made(own.member.apiKey, { name: 'CI', role: 'member', expiresAt });
      time += HOUR;
      const { json } = await ask('POST', `/keys/${old.keyId}/rotate`, old.apiKey, {
        overlapHours: 0,
      });
      expect(json['expiresAt']).to.equal(new Date(time + 10 * HOUR).toISOString());
      expect(await isIn(old.apiKey)).to.equal(401);
      expect(json['createdBy']).to.deep.equal({ keyId: own.member.keyId, name: 'member' });
    });

    it('rejects a second successor, also with two requests at once, and a successor of an ended key', async () => {
      const old = await made(own.member.apiKey, { name: 'CI', role: 'member' });
      const rotate = () => ask('POST', `/keys/${old.keyId}/rotate`, own.member.apiKey);
      const statuses = (await Promise.all([rotate(), rotate()])).map(({ status }) => status);
      expect(statuses.toSorted()).to.deep.equal([201, 409]);
      const over = await made(own.member.apiKey, { name: 'over', role: 'member' });
      await ask('DELETE', `/keys/${over.keyId}`, own.member.apiKey);
      expect((await ask('POST', `/keys/${over.keyId}/rotate`, own.member.apiKey)).status).to.equal(
        409,
      );
    });

    it("gives an admin no owner's key", async () => {
      expect(
        (await ask('POST', `/keys/${own.owner.keyId}/rotate`, own.admin.apiKey)).status,
      ).to.equal(403);
      expect((await ask('DELETE', `/keys/${own.owner.keyId}`, own.admin.apiKey)).status).to.equal(
        204,
      );
    });

    for (const overlapHours of [-1, 168.1, 1e9, '1', true])
      it(`rejects an overlap of ${JSON.stringify(overlapHours)}`, async () => {
        const { status } = await ask(
          'POST',
          `/keys/${own.member.keyId}/rotate`,
          own.member.apiKey,
          { overlapHours },
        );
        expect(status).to.equal(400);
      });
  });

  describe('the callback secret', () => {
    it('is shown only by its rotation', async () => {
      const read = async () => (await ask('GET', '/callback-secret', own.admin.apiKey)).json;
      expect(await read()).to.have.property('previousUntil', null);
      const { status, json } = await ask('POST', '/callback-secret/rotate', own.admin.apiKey);
      expect(status).to.equal(200);
      const secrets = await atTime(now, createOrganizations(db)).callbackSecrets(organizationId);
      expect(secrets[0]).to.equal(json['callbackSecret']);
      const after = await read();
      expect(after).to.deep.equal({
        rotatedAt: now().toISOString(),
        previousUntil: json['previousUntil'],
      });
      expect(JSON.stringify(await audited()))
        .to.contain('callback-secret.rotate')
        .and.not.contain('whsec_');
    });
  });

  describe('GET /audit', () => {
    it('names the person or the key, the action, and the IP address', async () => {
      const ada = await person('admin');
      await made(ada.apiKey, { name: 'CI', role: 'member' });
      await made(own.member.apiKey, { name: 'Nightly', role: 'member' });
      const rest = { action: 'key.create', address: '192.0.2.7' };
      const entries = (await audited()).map(({ person, key, action, subject, address }) => ({
        person,
        key,
        action,
        subject,
        address,
      }));
      expect(entries).to.have.deep.members([
        {
          ...rest,
          subject: 'Nightly (member)',
          person: null,
          key: { keyId: own.member.keyId, name: 'member' },
        },
        { ...rest, subject: 'CI (member)', person: { userId: ada.userId, name: 'Ada' }, key: null },
      ]);
    });
  });
});
