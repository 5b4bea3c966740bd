import { expect } from 'chai';
import { bearer } from '../helpers/api.ts';
import { type Browser, type People, startPeople } from '../helpers/people.ts';

describe('accounts', function () {
  this.timeout(60_000);
  let people: People;
  before(async () => {
    people = await startPeople();
  });
  after(() => people.close());

  const keyOf = async (person: Browser, organizationId: string) => {
    const { status, json } = await person.post('/account/key', { organizationId });
    expect([status, json['error']]).to.deep.equal([200, undefined]);
    return json['apiKey'] as string;
  };
  const readSites = async (key: string) =>
    (await people.api.request('GET', '/api/v1/sites', { headers: bearer(key) })).status;

  it('a session mints a key of the role of the person, and names person and organizations', async () => {
    const { person, email, organizationId } = await people.owner();
    const { json } = await person.get('/account');
    expect(json).to.have.nested.property('user.email', email);
    expect(json['organizations']).to.deep.equal([{ organizationId, name: 'Acme', role: 'owner' }]);
    const before = Date.now();
    const { json: minted } = await person.post('/account/key', { organizationId });
    expect(minted).to.include({ organizationId, role: 'owner' });
    expect(Date.parse(minted['expiresAt'] as string) - before).to.be.within(14 * 60_000, 16 * 60_000);
    expect(await people.keys.authenticate(minted['apiKey'] as string)).to.include({ role: 'owner', organizationId });
    expect(await readSites(minted['apiKey'] as string)).to.equal(200);
  });

  it('has cookies for this host and https only, which no script reads', async () => {
    const { person, email } = await people.owner();
    const reply = await person.signIn(email);
    const cookies = reply.headers.getSetCookie();
    expect(cookies.map((line) => line.split('=')[0])).to.deep.equal([
      '__Host-agent_tasks.session_token',
      '__Host-agent_tasks.device',
    ]);
    for (const line of cookies) {
      for (const attribute of [/; HttpOnly/i, /; Secure/i, /; SameSite=Lax/i, /; Path=\//i])
        expect(line).to.match(attribute);
      expect(line).to.not.match(/domain/i);
    }
    expect(reply.text).to.equal('{}');
  });

  it('signing out everywhere ends all sessions and their keys at once', async () => {
    const { person, email, organizationId } = await people.owner();
    const other = people.browser();
    expect((await other.signIn(email)).status).to.equal(200);
    const keys = [await keyOf(person, organizationId), await keyOf(other, organizationId)];
    expect((await person.post('/auth/revoke-sessions')).status).to.equal(200);
    for (const key of keys) expect(await readSites(key)).to.equal(401);
    for (const browser of [person, other]) expect((await browser.get('/account')).status).to.equal(401);
  });
});
