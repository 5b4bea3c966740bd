import { expect } from 'chai';
import type { ConnectedAssistant } from '../../src/contract/responses.ts';
import type { Role } from '../../src/contract/roles.ts';
import { bearer } from '../helpers/api.ts';
import { type AtPort, formed, startPeopleAtPort, tokensOf } from '../helpers/oauth.ts';
import { anAddress, type Browser, password } from '../helpers/people.ts';

describe('assistants of an organization', () => {
  let people: AtPort;
  let owner: Browser;
  let organizationId: string;
  before(async () => {
    people = await startPeopleAtPort();
  });
  after(() => people.close());
  beforeEach(async () => {
    ({ person: owner, organizationId } = await people.owner());
  });

  const ask = (method: string, path: string, key: string) =>
    people.api.request(method, `/api/v1${path}`, { headers: bearer(key) });
  const connect = (person: Browser) => tokensOf(people, person, organizationId);
  const listed = async (key: string) =>
    (await ask('GET', '/assistants', key)).json['assistants'] as ConnectedAssistant[];
  const statusOfTools = async (accessToken: string) => {
    const { status } = await people.api.request('POST', '/mcp', {
      headers: {
        ...bearer(accessToken),
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    return status;
  };
  /** The key of a person's session, as the console has it. */
  const keyOf = async (person: Browser) =>
    (await person.post('/account/key', { organizationId })).json['apiKey'] as string;

  async function join(role: Role, name: string) {
    const email = anAddress(name.toLowerCase());
    const { url } = await people.accounts.createSignInLink(email, { organizationId, role });
    const person = people.browser();
    await person.post('/account/link', { token: url.split('token=')[1], name, password });
    return { person, email };
  }

  it('are listed to admins with their person, role, start and last use', async () => {
    const bob = await join('viewer', 'Bob');
    const admin = await join('admin', 'Carol');
    const { access_token } = await connect(bob.person);
    await connect(owner);
    for (const key of [await keyOf(admin.person), await keyOf(owner)]) {
      const all = await listed(key);
      expect(all.map(({ role }) => role)).to.have.members(['owner', 'viewer']);
      const bobs = all.find(({ role }) => role === 'viewer');
      expect(bobs).to.deep.include({ name: 'Tests', hosts: [], role: 'viewer', lastUsedAt: null });
      expect(bobs!.person).to.include({ name: 'Bob', email: bob.email });
      expect(Date.parse(bobs!.connectedAt)).to.be.closeTo(Date.now(), 60_000);
    }
    expect(await statusOfTools(access_token)).to.equal(200);
    const used = (await listed(await keyOf(owner))).find(({ role }) => role === 'viewer');
    expect(Date.parse(used!.lastUsedAt!)).to.be.closeTo(Date.now(), 60_000);
  });

  it('can be ended at once by an admin, with all tokens and an audit entry, also those of an owner', async () => {
    const admin = await join('admin', 'Carol');
    const { access_token, refresh_token, client } = await connect(owner);
    const key = await keyOf(admin.person);
    const [{ assistantId, person }] = (await listed(key)) as [ConnectedAssistant];
    const kept = await connect(owner);
    expect((await ask('DELETE', `/assistants/${assistantId}`, key)).status).to.equal(204);
    expect(await statusOfTools(access_token)).to.equal(401);
    const fields = { grant_type: 'refresh_token', refresh_token, client_id: client };
    const { json } = await people.api.request('POST', '/auth/oauth2/token', formed(fields));
    expect(json['error']).to.equal('invalid_grant');
    expect(await statusOfTools(kept.access_token)).to.equal(200);
    expect((await ask('DELETE', `/assistants/${assistantId}`, key)).status).to.equal(404);
    const { entries } = await people.audit.list(organizationId, { limit: 10 });
    const entry = entries.find(({ action }) => action === 'assistant.disconnect')!;
    expect(entry.subject).to.equal(`Tests of ${person.email}`);
    expect(entry.userId).to.not.equal(person.userId);
  });

  it('are shown to members only if they are their own, also for a key that the member created', async () => {
    const [bob, eve] = [await join('member', 'Bob'), await join('member', 'Eve')];
    await connect(bob.person);
    const session = await keyOf(bob.person);
    const { json } = await people.api.request('GET', '/api/v1/members', {
      headers: bearer(session),
    });
    const members = json['members'] as { userId: string; email: string }[];
    const { userId } = members.find(({ email }) => email === bob.email)!;
    const made = await people.keys.create({
      organizationId,
      role: 'member',
      createdBy: { userId },
    });
    const foreign = await people.keys.create({ organizationId, role: 'member' });
    const [{ assistantId }] = (await listed(session)) as [ConnectedAssistant];
    for (const key of [await keyOf(eve.person), foreign.apiKey]) {
      expect(await listed(key)).to.deep.equal([]);
      expect((await ask('DELETE', `/assistants/${assistantId}`, key)).status).to.equal(404);
    }
    expect(await listed(made.apiKey)).to.have.length(1);
    expect((await ask('DELETE', `/assistants/${assistantId}`, made.apiKey)).status).to.equal(204);
    expect(await listed(session)).to.deep.equal([]);
  });
});
