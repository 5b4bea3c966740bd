import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import type { PasswordHasher } from '../../src/accounts/passwords.ts';
import { createRowChanges } from '../../src/storage/rowChanges.ts';
import { createKeys } from '../../src/organizations/apiKeys.ts';
import { bearer, fromHere } from '../helpers/api.ts';
import { anAddress, type Browser, password, type People, startPeople } from '../helpers/people.ts';
import { missingAccountError } from '../../src/accounts/accounts.ts';

describe('accounts', function () {
  this.timeout(120_000);
  let people: People;
  before(async () => {
    people = await startPeople({ app: { trustProxy: fromHere } });
  });
  after(() => people.close());

  it('write no password, token or key to the log', async () => {
    const { person, email, organizationId } = await people.owner();
    const key = await keyOf(person, organizationId);
    const { url } = await people.accounts.createSignInLink(email);
    const token = new URL(url).hash.slice('#token='.length);
    await people.browser().signIn(email, 'wrong horse battery');
    await people.browser().post('/account/link', { token });
    const log = people.logs.join('');
    for (const secret of [password, 'wrong horse battery', token, key, ...person.cookies.values()])
      expect(log).to.not.include(secret);
  });

  const keyOf = async (person: Browser, organizationId: string) => {
    const { status, json } = await person.post('/account/key', { organizationId });
    expect([status, json['error']]).to.deep.equal([200, undefined]);
    return json['apiKey'] as string;
  };
  const call = (key: string, method: string, path: string, body?: object) =>
    people.api.request(method, `/api/v1${path}`, {
      headers: { ...bearer(key), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const readSites = async (key: string) => (await call(key, 'GET', '/sites')).status;
  const statuses = (replies: { status: number }[]) => replies.map(({ status }) => status);

  /** A new person with an account of their own, who joined by an invitation. */
  async function join(ownerKey: string, role: string, email = anAddress(role)): Promise<Browser> {
    const { json } = await call(ownerKey, 'POST', '/invitations', { email, role });
    const invitationId = json['invitationId'] as string;
    const person = people.browser();
    const user = { name: role, email, password, invitationId };
    expect(
      statuses([await person.post('/auth/sign-up/email', user), await person.signIn(email)]),
    ).to.deep.equal([200, 200]);
    expect((await person.post(`/account/invitations/${invitationId}/accept`)).status).to.equal(200);
    return person;
  }
  const memberIn = async (key: string, email: string) => {
    const { json } = await call(key, 'GET', '/members?limit=100');
    return (json['members'] as { email: string; memberId: string }[]).find(
      (member) => member.email === email,
    )!.memberId;
  };

  describe('sessions', () => {
    it('create a key with the role of the person, and name the person and the organizations', async () => {
      const { person, email, organizationId } = await people.owner();
      const { json } = await person.get('/account');
      expect(json).to.have.nested.property('user.email', email);
      expect(json['organizations']).to.deep.equal([
        { organizationId, name: 'Acme', role: 'owner' },
      ]);
      const before = Date.now();
      const { json: minted } = await person.post('/account/key', { organizationId });
      expect(minted).to.include({ organizationId, role: 'owner' });
      expect(Date.parse(minted['expiresAt'] as string) - before).to.be.within(
        14 * 60_000,
        16 * 60_000,
      );
      const key = minted['apiKey'] as string;
      expect(await people.keys.authenticate(key)).to.include({ role: 'owner', organizationId });
      expect(await readSites(key)).to.equal(200);
      expect(await people.keys.list(organizationId)).to.deep.equal([]);
    });

    it('have cookies for this host and https only, which no script can read, and no token in the answer', async () => {
      const { person, email } = await people.owner();
      const reply = await person.signIn(email);
      const cookies = reply.headers.getSetCookie();
      const names = cookies.map((line) => line.split('=')[0]);
      expect(names).to.deep.equal([
        '__Host-agent_tasks.session_token',
        '__Host-agent_tasks.device',
      ]);
      for (const line of cookies) {
        for (const attribute of [/; HttpOnly/i, /; Secure/i, /; SameSite=Lax/i, /; Path=\/(;|$)/i])
          expect(line).to.match(attribute);
        expect(line).to.not.match(/domain/i);
      }
      expect(reply.text).to.equal('{}');
    });

    it('end with their keys at once: one by sign-out, and all sessions of a person by sign-out everywhere', async () => {
      const { person, email, organizationId } = await people.owner();
      const others = [people.browser(), people.browser()] as const;
      for (const other of others) await other.signIn(email);
      const keys = await Promise.all(
        [person, ...others].map((browser) => keyOf(browser, organizationId)),
      );
      expect((await others[0].post('/auth/sign-out')).status).to.equal(200);
      expect(await Promise.all(keys.map(readSites))).to.deep.equal([200, 401, 200]);
      expect((await person.post('/auth/revoke-sessions')).status).to.equal(200);
      expect(await Promise.all(keys.map(readSites))).to.deep.equal([401, 401, 401]);
      const reads = await Promise.all(
        [person, ...others].map((browser) => browser.get('/account')),
      );
      expect(statuses(reads)).to.deep.equal([401, 401, 401]);
    });

    it('end when the person sets a new password, which requires the old password', async () => {
      const { person, email, organizationId } = await people.owner();
      const other = people.browser();
      await other.signIn(email);
      const key = await keyOf(other, organizationId);
      const change = (currentPassword: string) =>
        person.post('/auth/change-password', {
          currentPassword,
          newPassword: 'another horse battery',
        });
      expect(statuses([await change('a wrong password'), await change(password)])).to.deep.equal([
        401, 200,
      ]);
      expect(await readSites(key)).to.equal(401);
      expect(statuses([await person.get('/account'), await other.get('/account')])).to.deep.equal([
        200, 401,
      ]);
      expect(
        statuses([await other.signIn(email), await other.signIn(email, 'another horse battery')]),
      ).to.deep.equal([401, 200]);
    });
  });

  describe('requests from other sites', () => {
    it('change nothing, because each request needs our Origin and JSON', async () => {
      const { person, organizationId } = await people.owner();
      const paths = [
        '/account/key',
        '/account/organizations',
        '/auth/sign-out',
        '/auth/revoke-sessions',
        '/account/link',
      ];
      for (const path of paths)
        for (const origin of ['https://evil.example', 'null', ''])
          expect(
            (await person.post(path, { organizationId }, { origin })).status,
            `${path} ${origin}`,
          ).to.equal(403);
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      expect((await person.post('/account/key', { organizationId }, form)).status).to.equal(415);
      expect((await person.get('/account')).status).to.equal(200);
    });

    it('reach nothing of better-auth except the documented routes', async () => {
      const { person } = await people.owner();
      for (const path of [
        '/auth/update-user',
        '/auth/delete-user',
        '/auth/request-password-reset',
        '/auth/link-social',
      ])
        expect((await person.post(path)).status, path).to.equal(404);
      for (const path of [
        '/auth/get-session',
        '/auth/list-sessions',
        '/auth/ok',
        '/auth/error',
        '/auth/list-accounts',
      ])
        expect((await person.get(path)).status, path).to.equal(404);
    });

    it("can't redirect a browser to another host, nor set fields of other people", async () => {
      const { email } = await people.owner();
      const social = (callbackURL: string) =>
        people.browser().post('/auth/sign-in/social', { provider: 'oidc', callbackURL });
      for (const url of ['https://evil.example', '//evil.example', '/\\evil.example'])
        expect((await social(url)).status).to.equal(400);
      const user = { name: 'x', email: anAddress(), password, emailVerified: true };
      expect((await people.browser().post('/auth/sign-up/email', user)).status).to.equal(400);
      const bearerOnly = await people
        .browser()
        .post('/auth/sign-in/email', { email, password, callbackURL: 'https://evil.example' });
      expect(bearerOnly.status).to.equal(400);
    });
  });

  describe('signing in', () => {
    it('answers the same and as slowly for an unknown address as for a wrong password', async () => {
      const hashed: string[] = [];
      const passwords: PasswordHasher = {
        hash: (password) => (hashed.push(password), Promise.resolve('unused')),
        verify: ({ password }) => (hashed.push(password), Promise.resolve(false)),
      };
      const others = await startPeople({ app: { trustProxy: fromHere }, passwords });
      const { email } = await others.owner();
      const wrong = 'wrong horse battery';
      for (const address of [email, anAddress()]) {
        hashed.splice(0);
        const { status, text } = await others.browser().signIn(address, wrong);
        expect([status, text]).to.deep.equal([401, '{"error":"Wrong e-mail address or password"}']);
        expect(hashed).to.deep.equal([wrong]);
      }
      await others.close();
    });

    it('is recorded in the audit of each organization of the person with way and IP address, unless it was refused', async () => {
      const { person, email, organizationId } = await people.owner();
      const other = await people.organizations.create({ name: 'Other' });
      await people.accounts.createSignInLink(email, {
        organizationId: other.organizationId,
        role: 'viewer',
      });
      const foreign = await people.owner('grace');
      const browser = people.browser();
      browser.headers = { 'x-forwarded-for': '2001:db8:1:2:3:4:5:6' };
      await browser.signIn(email, 'wrong horse battery');
      await browser.signIn(email);
      await person.get('/account');
      await person.post('/auth/change-password', {
        currentPassword: password,
        newPassword: 'another horse battery',
      });
      const { url } = await people.accounts.createSignInLink(email);
      await browser.post('/account/link', { token: new URL(url).hash.slice('#token='.length) });
      const of = async (id: string) =>
        (await people.audit.list(id, { limit: 10 })).entries.map(({ action, subject, address }) => [
          action,
          subject,
          address,
        ]);
      const begun = ['link', 'password'].map((way) => [
        'session.begin',
        way,
        '2001:db8:1:2:3:4:5:6',
      ]);
      expect(await of(other.organizationId)).to.deep.equal(begun);
      expect((await of(organizationId)).slice(0, 2)).to.deep.equal(begun);
      expect(await of(organizationId), 'the first link').to.have.length(3);
      expect(await of(foreign.organizationId)).to.have.length(1);
      const { entries } = await people.audit.list(other.organizationId, { limit: 10 });
      const user = people.db.selectFrom('users').select('id').where('email', '=', email);
      for (const { userId } of entries)
        expect(userId).to.equal((await user.executeTakeFirstOrThrow()).id);
    });

    it('rejects passwords under 12 and over 128 characters', async () => {
      const { person, organizationId } = await people.owner();
      const key = await keyOf(person, organizationId);
      const email = anAddress();
      const { json } = await call(key, 'POST', '/invitations', { email, role: 'member' });
      const up = (secret: string) =>
        people.browser().post('/auth/sign-up/email', {
          name: 'x',
          email,
          password: secret,
          invitationId: json['invitationId'],
        });
      expect(
        statuses([await up('a'.repeat(11)), await up('a'.repeat(129)), await up('a'.repeat(12))]),
      ).to.deep.equal([400, 400, 200]);
    });
  });

  describe('members', () => {
    it('join with an invitation, which is for one address and works once', async () => {
      const { person, organizationId } = await people.owner();
      const key = await keyOf(person, organizationId);
      const email = anAddress('Invited');
      const { status, json: invitation } = await call(key, 'POST', '/invitations', {
        email,
        role: 'member',
      });
      expect([status, invitation['sent']]).to.deep.equal([201, false]);
      expect(invitation['url']).to.equal(
        `https://api.example.com/invitations/${invitation['invitationId']}`,
      );
      const path = `/account/invitations/${invitation['invitationId']}`;
      const offer = await people.browser().get(path);
      expect(offer.json).to.include({
        organization: 'Acme',
        role: 'member',
        email: email.toLowerCase(),
        invitedBy: 'Ada',
      });
      const stranger = await people.owner('eve');
      expect((await stranger.person.post(`${path}/accept`)).status).to.equal(403);
      const joined = people.browser();
      const user = { name: 'I', email, password, invitationId: invitation['invitationId'] };
      await joined.post('/auth/sign-up/email', user);
      await joined.signIn(email);
      expect(
        statuses([await joined.post(`${path}/accept`), await joined.post(`${path}/accept`)]),
      ).to.deep.equal([200, 404]);
      expect((await joined.get('/account')).json['organizations']).to.deep.equal([
        { organizationId, name: 'Acme', role: 'member' },
      ]);
      expect((await call(key, 'GET', '/invitations')).json['invitations']).to.deep.equal([]);
      const actions = (await people.audit.list(organizationId, { limit: 10 })).entries.map(
        ({ action }) => action,
      );
      expect(actions).to.deep.equal(['member.join', 'invitation.create', 'session.begin']);
      expect(people.logs.join('')).to.not.include(String(invitation['invitationId']));
    });

    it("can't sign up without an invitation, with a revoked one, or for another address", async () => {
      const { person, organizationId } = await people.owner();
      const key = await keyOf(person, organizationId);
      const email = anAddress();
      const up = (address: string, invitationId?: unknown) =>
        people.browser().post('/auth/sign-up/email', {
          name: 'x',
          email: address,
          password,
          ...(invitationId ? { invitationId } : {}),
        });
      const { json: first } = await call(key, 'POST', '/invitations', { email, role: 'member' });
      const { json: second } = await call(key, 'POST', '/invitations', { email, role: 'viewer' });
      const replies = [
        await up(email),
        await up(email, first['invitationId']),
        await up(anAddress(), second['invitationId']),
      ];
      expect(statuses(replies)).to.deep.equal([403, 403, 403]);
      await call(key, 'DELETE', `/invitations/${second['invitationId']}`);
      expect((await up(email, second['invitationId'])).status).to.equal(403);
    });

    it('lose their session and keys at once when they are removed, and their keys when their role changes', async () => {
      const { person, organizationId } = await people.owner();
      const key = await keyOf(person, organizationId);
      const email = anAddress('joining');
      const joined = await join(key, 'admin', email);
      const changes = createRowChanges();
      const elsewhere = createKeys(people.db, { changes });
      const theirs = await keyOf(joined, organizationId);
      expect(await elsewhere.authenticate(theirs)).to.include({ role: 'admin' });
      const memberId = await memberIn(key, email);
      expect(
        (await call(key, 'PATCH', `/members/${memberId}`, { role: 'member' })).status,
      ).to.equal(200);
      expect(await readSites(theirs)).to.equal(401);
      const lower = await keyOf(joined, organizationId);
      expect((await call(lower, 'GET', '/invitations')).status).to.equal(403);
      expect((await call(key, 'DELETE', `/members/${memberId}`)).status).to.equal(204);
      expect(await readSites(lower)).to.equal(401);
      expect((await joined.get('/account')).status).to.equal(401);
    });

    it('grant and remove no role above their own, and the last owner stays', async () => {
      const { person, email, organizationId } = await people.owner();
      const ownerKey = await keyOf(person, organizationId);
      const adminEmail = anAddress('admin');
      const admin = await keyOf(await join(ownerKey, 'admin', adminEmail), organizationId);
      const [ownerId, adminId] = [
        await memberIn(ownerKey, email),
        await memberIn(ownerKey, adminEmail),
      ];
      const asAdmin = [
        await call(admin, 'PATCH', `/members/${adminId}`, { role: 'owner' }),
        await call(admin, 'PATCH', `/members/${ownerId}`, { role: 'member' }),
        await call(admin, 'DELETE', `/members/${ownerId}`),
        await call(admin, 'POST', '/invitations', { email: anAddress(), role: 'owner' }),
        await call(admin, 'PATCH', '/organization', { name: 'Mine' }),
      ];
      expect(statuses(asAdmin)).to.deep.equal([403, 403, 403, 403, 403]);
      const last = [
        await call(ownerKey, 'PATCH', `/members/${ownerId}`, { role: 'admin' }),
        await call(ownerKey, 'DELETE', `/members/${ownerId}`),
      ];
      expect(statuses(last)).to.deep.equal([409, 409]);
      expect(
        (await call(ownerKey, 'PATCH', '/organization', { name: 'Acme Ltd' })).json,
      ).to.include({
        name: 'Acme Ltd',
      });
      expect(
        (await call(ownerKey, 'PATCH', `/members/${adminId}`, { role: 'owner' })).status,
      ).to.equal(200);
      const both = await Promise.all(
        [ownerId, adminId].map((id) => call(ownerKey, 'DELETE', `/members/${id}`)),
      );
      expect(
        statuses(both).filter((status) => status === 204),
        'one owner is left',
      ).to.have.length(1);
    });

    it('can leave whenever they like, including viewers, but not the only owner', async () => {
      const { person, email, organizationId } = await people.owner();
      const key = await keyOf(person, organizationId);
      const leave = (who: Browser, id = organizationId) =>
        who.post(`/account/organizations/${id}/leave`);
      const stranger = (await people.owner('grace')).person;
      for (const reply of [
        await leave(stranger),
        await leave(stranger, randomUUID()),
        await leave(stranger, 'x'),
      ])
        expect([reply.status, reply.json]).to.deep.equal([
          404,
          { error: 'Organization not found' },
        ]);
      expect((await leave(people.browser())).status).to.equal(401);
      for (const role of ['viewer', 'member', 'admin'] as const) {
        const joined = await join(key, role);
        expect((await leave(joined)).status, role).to.equal(204);
        expect((await joined.get('/account')).status).to.equal(401);
      }
      expect(await leave(person)).to.include({ status: 409, code: 'CONFLICT' });
      const other = anAddress('other');
      await join(key, 'owner', other);
      expect((await leave(person)).status).to.equal(204);
      const { entries } = await people.audit.list(organizationId, { limit: 1 });
      expect(entries.map(({ action, subject }) => [action, subject])).to.deep.equal([
        ['member.remove', email],
      ]);
    });

    it('lose the invitations that they created when they leave, and those above a lower role', async () => {
      const { person, organizationId } = await people.owner();
      const owner = await keyOf(person, organizationId);
      const email = anAddress('leaving');
      const leaving = await join(owner, 'owner', email);
      const memberId = await memberIn(owner, email);
      const invite = async (key: string, role: string) =>
        (await call(key, 'POST', '/invitations', { email: anAddress(), role })).json[
          'invitationId'
        ] as string;
      const theirs = await keyOf(leaving, organizationId);
      const kept = await invite(owner, 'owner');
      const [high, admin, low] = [
        await invite(theirs, 'owner'),
        await invite(theirs, 'admin'),
        await invite(theirs, 'viewer'),
      ];
      const there = async (ids: string[]) =>
        statuses(
          await Promise.all(ids.map((id) => people.browser().get(`/account/invitations/${id}`))),
        );
      await call(owner, 'PATCH', `/members/${memberId}`, { role: 'admin' });
      expect(await there([kept, high, admin, low])).to.deep.equal([200, 404, 200, 200]);
      await call(owner, 'PATCH', `/members/${memberId}`, { role: 'member' });
      expect(await there([kept, admin, low])).to.deep.equal([200, 404, 200]);
      const row = {
        id: randomUUID(),
        organization_id: organizationId,
        email,
        role: 'admin',
        created_at: new Date(),
      };
      const pending = { ...row, invited_by: null, expires_at: new Date(Date.now() + 60_000) };
      const other = await people.organizations.create({ name: 'Other' });
      const elsewhere = { ...pending, id: randomUUID(), organization_id: other.organizationId };
      await people.db.insertInto('invitations').values([pending, elsewhere]).execute();
      expect((await call(owner, 'DELETE', `/members/${memberId}`)).status).to.equal(204);
      expect(await there([kept, low, pending.id, elsewhere.id])).to.deep.equal([
        200, 404, 404, 200,
      ]);
    });
  });

  describe('one-time links', () => {
    it('can be read 60 times a minute per address, together with invitations, even with a correct token', async () => {
      const { person, email, organizationId } = await people.owner();
      const token = new URL((await people.accounts.createSignInLink(email)).url).hash.slice(
        '#token='.length,
      );
      const key = await keyOf(person, organizationId);
      const { json } = await call(key, 'POST', '/invitations', {
        email: anAddress(),
        role: 'member',
      });
      const at = (address: string) => {
        const browser = people.browser();
        browser.headers = { 'x-forwarded-for': address };
        return browser;
      };
      for (const look of [
        (browser: Browser) => browser.post('/account/link/check', { token }),
        (browser: Browser) => browser.get(`/account/invitations/${String(json['invitationId'])}`),
      ]) {
        const replies = [];
        for (let n = 0; n < 70; n++) replies.push(await look(at('203.0.113.9')));
        expect(statuses(replies).filter((status) => status === 200)).to.have.length(60);
        expect(Number(replies[69]!.headers.get('retry-after'))).to.be.within(1, 60);
        expect((await look(at('203.0.113.10'))).status).to.equal(200);
      }
    });

    it('create the first organization and its owner once', async () => {
      await people.db.deleteFrom('members').execute();
      const [link, other] = [
        await people.accounts.links.first(),
        await people.accounts.links.first(),
      ];
      const person = people.browser();
      expect((await person.post('/account/link/check', { token: link!.token })).json).to.deep.equal(
        {
          purpose: 'first-organization',
        },
      );
      expect((await person.post('/account/link', { token: link!.token })).status).to.equal(400);
      const email = anAddress();
      const use = (token: string) =>
        person.post('/account/link', {
          token,
          name: 'Ada',
          email,
          password,
          organization: 'First',
        });
      expect(
        statuses([await use(link!.token), await use(link!.token), await use(other!.token)]),
      ).to.deep.equal([200, 404, 404]);
      expect((await person.get('/account')).json['organizations']).to.have.nested.property(
        '[0].name',
        'First',
      );
      expect(await people.accounts.links.first()).to.equal(null);
      expect((await people.browser().signIn(email)).status).to.equal(200);
    });

    it('let in a locked-out person once and in time, and a new password ends all existing sessions', async () => {
      const { person, email } = await people.owner();
      const { url } = await people.accounts.createSignInLink(email);
      const token = new URL(url).hash.slice('#token='.length);
      const hashes = await people.db.selectFrom('one_time_links').select('hash').execute();
      expect(JSON.stringify(hashes)).to.not.include(token);
      const fresh = people.browser();
      expect((await fresh.post('/account/link/check', { token })).json).to.deep.equal({
        purpose: 'sign-in',
        email,
        needsPassword: false,
      });
      const replies = [
        await fresh.post('/account/link', { token, password: 'a new horse battery' }),
        await fresh.post('/account/link', { token }),
      ];
      expect(statuses(replies)).to.deep.equal([200, 404]);
      expect(statuses([await fresh.get('/account'), await person.get('/account')])).to.deep.equal([
        200, 401,
      ]);
      const late = new URL((await people.accounts.createSignInLink(email)).url).hash.slice(
        '#token='.length,
      );
      await people.db
        .updateTable('one_time_links')
        .set({ expires_at: new Date(0) } as never)
        .execute();
      expect((await fresh.post('/account/link', { token: late })).status).to.equal(404);
    });

    it('of operators make people members; without an organization they need an existing account', async () => {
      const { organizationId } = await people.owner();
      const email = anAddress();
      const unknown = await people.accounts
        .createSignInLink(email)
        .catch((error: Error) => error.message);
      expect(unknown).to.equal(missingAccountError(email).message);
      const { url } = await people.accounts.createSignInLink(email, {
        organizationId,
        role: 'admin',
      });
      const person = people.browser();
      await person.post('/account/link', { token: new URL(url).hash.slice('#token='.length) });
      expect((await person.get('/account')).json['organizations']).to.deep.equal([
        { organizationId, name: 'Acme', role: 'admin' },
      ]);
    });
  });
});
