import { expect } from 'chai';
import type { Kysely } from 'kysely';
import type { CallerIdentity } from '../../src/tasks/caller.ts';
import { createRateLimits } from '../../src/api/middleware/rateLimit.ts';
import { createAudit } from '../../src/organizations/audit.ts';
import { createKeys } from '../../src/organizations/apiKeys.ts';
import { createCreatorNames } from '../../src/organizations/creatorNames.ts';
import { createOrganizations } from '../../src/organizations/organizations.ts';
import type { Role } from '../../src/contract/roles.ts';
import { createTeamKeys } from '../../src/organizations/teamKeys.ts';
import type { Schema } from '../../src/storage/schema.ts';
import { bearer, startApi, type TestApi, taskId } from '../helpers/api.ts';
import { copyKey } from '../helpers/copyKey.ts';
import { testDatabase } from '../helpers/database.ts';

describe('quotas of keys', function () {
  this.timeout(180_000);
  let db: Kysely<Schema>;
  let api: TestApi;
  let keys: ReturnType<typeof createKeys>;
  let organizationId: string;

  before(async () => {
    db = await testDatabase();
    keys = createKeys(db);
    const parts = {
      creators: createCreatorNames(db),
      audit: createAudit(db),
      organizations: createOrganizations(db),
    };
    const rateLimits = createRateLimits({ createPerMinute: 10_000, readPerMinute: 10_000 });
    api = await startApi({ ...parts, keys, rateLimits, teamKeys: createTeamKeys(db) });
  });
  after(() => api.close());
  beforeEach(async () => {
    ({ organizationId } = await createOrganizations(db).create({ name: 'Team' }));
  });

  const operatorKey = (role: Role) => keys.create({ organizationId, role, name: role });
  const ask = (method: string, path: string, key: string, body?: object) =>
    api.request(method, `/api/v1${path}`, {
      headers: { ...bearer(key), ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const make = (key: string, role: Role = 'member') =>
    ask('POST', '/keys', key, { name: 'x', role });
  const rotate = (key: string, keyId: unknown) =>
    ask('POST', `/keys/${String(keyId)}/rotate`, key, {});
  /**
   * Makes keys, each with the one before where `inTurn`, until that is refused. @returns how many
   * were made
   */
  async function exhaust(key: string, inTurn = false): Promise<number> {
    let by = key;
    for (let made = 0; ; made++) {
      const { status, json } = await make(by);
      if (status !== 201) {
        expect(status).to.equal(409);
        return made;
      }
      if (inTurn) by = String(json['apiKey']);
    }
  }

  for (const inTurn of [false, true])
    it(`a creator has at most 100 keys${inTurn ? ', also where each key makes the next one' : ''}, while other people create and rotate theirs`, async () => {
      const [member, other, admin, owner] = [
        await operatorKey('member'),
        await operatorKey('member'),
        await operatorKey('admin'),
        await operatorKey('owner'),
      ];
      const kept = (await make(member.apiKey)).json;
      await copyKey(db, String(kept['keyId']), 96);
      expect(await exhaust(member.apiKey, inTurn)).to.equal(3);
      for (const by of [other, admin, owner]) {
        expect((await make(by.apiKey)).status).to.equal(201);
        expect((await rotate(by.apiKey, by.keyId)).status).to.equal(201);
      }
      const rotated = await rotate(member.apiKey, kept['keyId']);
      expect(rotated.status, 'its own rotation').to.equal(201);
      expect(
        (await rotate(owner.apiKey, rotated.json['keyId'])).status,
        "an owner's rotation",
      ).to.equal(201);
      expect((await make(member.apiKey)).status).to.equal(409);
      expect(
        (await make(String(rotated.json['apiKey']))).status,
        'the same by a rotated key',
      ).to.equal(409);
      const { json } = await ask('GET', '/keys?limit=1', owner.apiKey);
      const [last] = json['keys'] as { keyId: string }[];
      expect((await ask('DELETE', `/keys/${last!.keyId}`, owner.apiKey)).status).to.equal(204);
    });

  it('an owner can create keys even if a member key of the owner has used up its own quota', async () => {
    const owner = await operatorKey('owner');
    const { json } = await make(owner.apiKey);
    await copyKey(db, String(json['keyId']), 97);
    expect(await exhaust(String(json['apiKey']))).to.equal(2);
    expect((await make(owner.apiKey)).status).to.equal(201);
    expect((await rotate(owner.apiKey, json['keyId'])).status).to.equal(201);
  });
});

describe('limits of one creator with many keys', () => {
  /**
   * Identities by token: `<organization>/<maker>/<key>`; keys of sessions of the maker begin with
   * `s`.
   */
  const identityIn = (token: string): CallerIdentity => {
    const [organizationId = '', maker = '', keyId = ''] = token.slice('ak_'.length).split('/');
    const own = keyId.startsWith('s') ? { userId: maker } : { countsFor: maker };
    return { organizationId, keyId: `${keyId} of ${maker}`, role: 'member', ...own };
  };
  let api: TestApi;
  beforeEach(async () => {
    api = await startApi({
      keys: {
        authenticate: (token) => Promise.resolve(identityIn(token)),
        identify: () => Promise.resolve(null),
      },
      rateLimits: createRateLimits({ createPerMinute: 2, readPerMinute: 4 }),
    });
  });
  afterEach(() => api.close());

  const read = (token: string) =>
    api.request('GET', `/api/v1/agent/tasks/${taskId}`, { headers: bearer(`ak_${token}`) });
  async function allowed(tokens: string[], times: number) {
    let count = 0;
    for (let n = 0; n < times; n++)
      for (const token of tokens) count += Number((await read(token)).status !== 429);
    return count;
  }
  const tokensOf = (organization: string, maker: string, count = 9) =>
    Array.from({ length: count }, (_, n) => `${organization}/${maker}/${n}`);

  it('nine keys of one creator share three times the limit of one key, in all organizations together', async () => {
    expect(await allowed(['o/alone/1'], 6)).to.equal(4);
    expect(await allowed(tokensOf('o', 'maker'), 6)).to.equal(12);
    expect(await allowed(tokensOf('elsewhere', 'maker'), 6)).to.equal(0);
    expect(await allowed(['o/other/1'], 6)).to.equal(4);
  });

  it('an organization has ten times the limit of a key, independent of other organizations', async () => {
    const makers = Array.from({ length: 6 }, (_, n) => tokensOf('o', `m${n}`)).flat();
    expect(await allowed(makers, 6)).to.equal(40);
    expect(await allowed(['o/new/1'], 3)).to.equal(0);
    expect(await allowed(['elsewhere/newer/1'], 3)).to.equal(3);
  });
});
