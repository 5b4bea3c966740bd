import { expect } from 'chai';
import type { Role } from '../../src/contract/roles.ts';
import { createKeys } from '../../src/organizations/apiKeys.ts';
import { createCreatorNames } from '../../src/organizations/creatorNames.ts';
import { createTeamKeys } from '../../src/organizations/teamKeys.ts';
import { createRowChanges } from '../../src/storage/rowChanges.ts';
import { bearer } from '../helpers/api.ts';
import { testDatabase } from '../helpers/database.ts';
import { anAddress, type Browser, password, type People, startPeople } from '../helpers/people.ts';

const rolesMade = ['member', 'admin', 'owner'] as const;

describe('the keys that a person created, when the person leaves or gets a lower role', () => {
  let people: People;
  let owner: string;
  let organizationId: string;
  before(async () => {
    const db = await testDatabase();
    const changes = createRowChanges();
    changes.heardFor(Infinity);
    const keys = createKeys(db, { changes });
    const forget = () => keys.forget();
    const teamKeys = createTeamKeys(db, { onChange: forget });
    people = await startPeople({
      onKeysEnded: forget,
      app: { keys, teamKeys, creators: createCreatorNames(db) },
    });
  });
  after(() => people.close());
  beforeEach(async () => {
    const { person, ...made } = await people.owner();
    ({ organizationId } = made);
    owner = await keyOf(person);
  });

  async function keyOf(person: Browser): Promise<string> {
    return (await person.post('/account/key', { organizationId })).json['apiKey'] as string;
  }
  const call = (key: string, method: string, path: string, body?: object) =>
    people.api.request(method, `/api/v1${path}`, {
      headers: { ...bearer(key), ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const worksStill = async (key: string) =>
    (await call(key, 'GET', '/organization')).status === 200;

  /** An owner who made a key of each role, one of them by another key, and a key that is over. */
  async function join() {
    const email = anAddress('joining');
    const { json } = await call(owner, 'POST', '/invitations', { email, role: 'owner' });
    const { invitationId } = json;
    const person = people.browser();
    await person.post('/auth/sign-up/email', { name: 'Grace', email, password, invitationId });
    await person.signIn(email);
    await person.post(`/account/invitations/${String(invitationId)}/accept`);
    let by = await keyOf(person);
    const make = async (role: Role) =>
      (await call(by, 'POST', '/keys', { name: `Key of ${role}`, role })).json as {
        apiKey: string;
        keyId: string;
      };
    const owners = await make('owner');
    by = owners.apiKey;
    const made = { owner: owners, admin: await make('admin'), member: await make('member') };
    const over = await make('member');
    await call(by, 'DELETE', `/keys/${over.keyId}`);
    const { json: listed } = await call(owner, 'GET', '/members?limit=100');
    const members = listed['members'] as { email: string; memberId: string; userId: string }[];
    const keys = Object.fromEntries(
      Object.entries(made).map(([role, { apiKey }]) => [role, apiKey]),
    );
    return { ...members.find((member) => member.email === email)!, keys };
  }
  type Joined = Awaited<ReturnType<typeof join>>;
  async function working({ keys }: Joined): Promise<string[]> {
    const found: string[] = [];
    for (const role of rolesMade) if (await worksStill(keys[role]!)) found.push(role);
    return found;
  }
  const audited = async () =>
    (await people.audit.list(organizationId, { limit: 50 })).entries
      .filter(({ action }) => action === 'key.revoke')
      .map(({ subject }) => subject);

  it('are listed without the keys of other people', async () => {
    const joined = await join();
    await call(owner, 'POST', '/keys', { name: 'Of the owner', role: 'member' });
    const { status, json } = await call(owner, 'GET', `/keys?createdBy=${joined.userId}`);
    const keys = json['keys'] as { name: string; revokedAt: string | null }[];
    expect(status).to.equal(200);
    expect(keys.map(({ name, revokedAt }) => [name, revokedAt === null])).to.deep.equal([
      ['Key of member', false],
      ['Key of member', true],
      ['Key of admin', true],
      ['Key of owner', true],
    ]);
    expect((await call(owner, 'GET', '/keys?createdBy=me')).status).to.equal(400);
  });

  const changes: [
    what: string,
    method: string,
    query: string,
    body: object | undefined,
    stay: string[],
  ][] = [
    ['stay at a removal', 'DELETE', '', undefined, ['member', 'admin', 'owner']],
    ['all end at a removal that asks for it', 'DELETE', '?endKeys=true', undefined, []],
    ['stay with a lower role', 'PATCH', '', { role: 'member' }, ['member', 'admin', 'owner']],
    ['end above a lower role', 'PATCH', '', { role: 'admin', endKeys: true }, ['member', 'admin']],
    ['all end with viewers', 'PATCH', '', { role: 'viewer', endKeys: true }, []],
  ];
  for (const [what, method, query, body, stay] of changes)
    it(`${what}: ${method} ${query} ${JSON.stringify(body) ?? ''}`, async () => {
      const joined = await join();
      const other = (await call(owner, 'POST', '/keys', { name: 'Other', role: 'owner' })).json[
        'apiKey'
      ] as string;
      expect(await working(joined)).to.deep.equal(['member', 'admin', 'owner']);
      const before = await audited();
      const reply = await call(owner, method, `/members/${joined.memberId}${query}`, body);
      expect(reply.status).to.be.oneOf([200, 204]);
      expect(await working(joined)).to.deep.equal(stay);
      expect(await worksStill(other)).to.equal(true);
      const ended = rolesMade
        .filter((role) => !stay.includes(role))
        .map((role) => `Key of ${role} (${role})`);
      const now = await audited();
      expect(now.slice(0, now.length - before.length).sort()).to.deep.equal(ended.sort());
    });

  it('stay if the change is refused', async () => {
    const joined = await join();
    const { json } = await call(owner, 'POST', '/keys', { name: 'Admin', role: 'admin' });
    const admin = json['apiKey'] as string;
    const path = `/members/${joined.memberId}`;
    const refused = [
      await call(admin, 'DELETE', `${path}?endKeys=true`),
      await call(admin, 'PATCH', path, { role: 'viewer', endKeys: true }),
      await call(owner, 'DELETE', `${path}?endKeys=yes`),
      await call(owner, 'PATCH', path, { role: 'viewer', endKeys: 'yes' }),
    ];
    expect(refused.map(({ status }) => status)).to.deep.equal([403, 403, 400, 400]);
    expect(await working(joined)).to.deep.equal(['member', 'admin', 'owner']);
  });
});
