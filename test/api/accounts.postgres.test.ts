import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createKeys, type ApiKeys } from '../../src/organizations/apiKeys.ts';
import { createShares, type ShareLinks } from '../../src/organizations/shareLinks.ts';
import type { DomainError } from '../../src/errors.ts';
import { createTeamKeys } from '../../src/organizations/teamKeys.ts';
import { type Database, openDatabase } from '../../src/storage/database.ts';
import { bearer, taskId } from '../helpers/api.ts';
import { temporaryFolder } from '../helpers/database.ts';
import { startForgedOidc } from '../helpers/forgedOidc.ts';
import { anAddress, type Browser, password, type People, startPeople } from '../helpers/people.ts';
import { createPostgresDatabase, type PostgresDatabase } from '../helpers/postgres.ts';
import { needProgram } from '../helpers/programs.ts';
import { until } from '../helpers/until.ts';

describe('accounts of two processes on one PostgreSQL', function () {
  this.timeout(120_000);
  let server: PostgresDatabase;
  const folder = temporaryFolder();
  const databases: Database[] = [];
  let people: People;
  let elsewhere: People;
  /** Of a process that keeps rows of keys. */
  let listening: ApiKeys;

  before(async function () {
    needProgram(this, 'PostgreSQL');
    server = await createPostgresDatabase();
    for (const name of ['one', 'other'])
      databases.push(
        await openDatabase({ dataDir: join(folder.path, name), databaseUrl: server.url }),
      );
    const [one, other] = databases as [Database, Database];
    await other.listen();
    await until('changes to be heard', () => other.changes.areHeard() || undefined);
    listening = createKeys(other.db, { changes: other.changes });
    people = await startPeople({ db: one.db, app: { teamKeys: createTeamKeys(one.db) } });
    elsewhere = await startPeople({ db: other.db });
  });
  after(async () => {
    await people?.close();
    await elsewhere?.close();
    await Promise.all(databases.map((database) => database.close()));
    await server?.stop();
    folder.remove();
  });

  const call = async (
    person: Browser,
    organizationId: string,
    endpoint: `${string} ${string}`,
    body?: object,
  ) => {
    const [method, path] = endpoint.split(' ') as [string, string];
    const { json } = await person.post('/account/key', { organizationId });
    const headers = {
      ...bearer(json['apiKey'] as string),
      ...(body && { 'content-type': 'application/json' }),
    };
    return people.api.request(method, `/api/v1${path}`, {
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
  };
  const memberIn = async (person: Browser, organizationId: string, email: string) => {
    const { json } = await call(person, organizationId, 'GET /members');
    return (json['members'] as { email: string; memberId: string }[]).find(
      (member) => member.email === email,
    )!.memberId;
  };
  /** A second owner, who joins by a link of the operator. */
  const secondOwner = async (organizationId: string) => {
    const email = anAddress('second');
    const { url } = await elsewhere.accounts.createSignInLink(email, {
      organizationId,
      role: 'owner',
    });
    const person = people.browser();
    await person.post('/account/link', { token: new URL(url).hash.slice('#token='.length) });
    return { person, email };
  };

  it('one identity of an OIDC provider belongs to one account, however many sign-ins arrive at once', async () => {
    const oidc = await startForgedOidc();
    const options = { signUp: 'open', oidc } as const;
    const processes = await Promise.all(databases.map(({ db }) => startPeople({ db, ...options })));
    const { email: known } = await people.owner();
    const shared = anAddress('shared');
    try {
      for (const addresses of [
        [known],
        [shared],
        [anAddress('one'), anAddress('two'), anAddress('three')],
      ]) {
        const sub = randomUUID();
        const signIns = Array.from({ length: 8 }, (_, i) => {
          const email = addresses[i % addresses.length]!;
          const claims = { sub, email, email_verified: true, name: 'Ada' };
          return oidc.signIn(processes[i % 2]!.browser(), { claims });
        });
        const replies = await Promise.all(signIns);
        expect(replies.map(({ status }) => status)).to.deep.equal(Array<number>(8).fill(302));
        const users = replies.flatMap(({ user }) => user ?? []);
        expect(users).to.not.deep.equal([]);
        const accounts = people.db.selectFrom('user_accounts').select(['account_id', 'user_id']);
        const kept = await accounts.where('account_id', 'like', `%${sub}`).execute();
        expect(kept).to.deep.equal([
          { account_id: `${oidc.issuer}#${sub}`, user_id: users[0]!.userId },
        ]);
        expect(new Set(users.map(({ userId }) => userId))).to.have.property('size', 1);
      }
    } finally {
      for (const one of processes) await one.close();
      oidc.close();
    }
  });

  it('a session of one process is valid in the other, and ends in both at once, including its cached keys', async () => {
    const { email, organizationId } = await people.owner();
    const there = elsewhere.browser();
    expect((await there.signIn(email)).status).to.equal(200);
    const here = people.browser();
    for (const [name, value] of there.cookies) here.cookies.set(name, value);
    const { json } = await here.post('/account/key', { organizationId });
    const key = json['apiKey'] as string;
    expect(await listening.authenticate(key)).to.include({ role: 'owner' });
    expect((await here.post('/auth/revoke-sessions')).status).to.equal(200);
    await until('the key to be forgotten', async () =>
      (await listening.authenticate(key)) === null ? true : undefined,
    );
    expect((await there.get('/account')).status).to.equal(401);
  });

  it('one of two owners stays if both remove each other at the same time', async () => {
    const { person, email, organizationId } = await people.owner();
    const second = await secondOwner(organizationId);
    const ids = [
      await memberIn(person, organizationId, second.email),
      await memberIn(person, organizationId, email),
    ];
    const browsers = [person, second.person];
    const replies = await Promise.all(
      browsers.map((browser, i) => call(browser, organizationId, `DELETE /members/${ids[i]}`)),
    );
    expect(replies.filter(({ status }) => status === 204)).to.have.length(1);
    const rows = people.db
      .selectFrom('members')
      .selectAll()
      .where('organization_id', '=', organizationId);
    expect(await rows.execute()).to.have.length(1);
  });

  it('no key survives a removal that happens while the key is created', async () => {
    const { person, organizationId } = await people.owner();
    const second = await secondOwner(organizationId);
    const memberId = await memberIn(person, organizationId, second.email);
    const minting = Array.from({ length: 10 }, () =>
      second.person.post('/account/key', { organizationId }),
    );
    const [removed, ...replies] = await Promise.all([
      call(person, organizationId, `DELETE /members/${memberId}`),
      ...minting,
    ]);
    expect(removed.status).to.equal(204);
    for (const { status, json } of replies) {
      expect(status).to.be.oneOf([200, 401, 404]);
      if (status === 200)
        expect(await people.keys.authenticate(json['apiKey'] as string)).to.equal(null);
    }
  });

  it('no share survives a removal, or a change to viewer, that happens while the share is created', async () => {
    const { person, organizationId } = await people.owner();
    const shares = createShares(databases[1]!.db);
    for (const [method, body] of [['PATCH', { role: 'viewer' }], ['DELETE']] as const) {
      const { email } = await secondOwner(organizationId);
      const memberId = await memberIn(person, organizationId, email);
      const { id: userId } = await people.db
        .selectFrom('users')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      const share = {
        organizationId,
        taskId,
        isBatch: false,
        access: 'edit',
        days: 30,
        userId,
      } as const;
      const make = () => shares.create(share).catch((error: DomainError) => error.code);
      const [changed, ...made] = await Promise.all([
        call(person, organizationId, `${method} /members/${memberId}`, body),
        ...Array.from({ length: 20 }, make),
      ]);
      expect(changed.status).to.be.oneOf([200, 204]);
      for (const one of [...made, await make()])
        if (typeof one === 'string') expect(one).to.equal('UNAUTHORIZED');
        else expect(await shares.find(one.share.shareId)).to.equal(null);
      expect(await make()).to.equal('UNAUTHORIZED');
    }
  });

  it('a task has at most 100 links, however many are created at the same time in two processes', async () => {
    const { organizationId } = await people.owner();
    const [one, other] = databases.map(({ db }) => createShares(db)) as [ShareLinks, ShareLinks];
    const share = { organizationId, taskId, isBatch: false, access: 'view', days: 1 } as const;
    const made = await Promise.allSettled(
      Array.from({ length: 130 }, (_, n) => (n % 2 ? one : other).create(share)),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).to.have.length(100);
    for (const outcome of made)
      if (outcome.status === 'rejected') expect(outcome.reason).to.include({ code: 'CONFLICT' });
    const all = databases[0]!.db.selectFrom('shares').select('id');
    const kept = await all.where('organization_id', '=', organizationId).execute();
    expect(kept).to.have.length(100);
  });

  it('an address that is invited twice at the same time has one invitation', async () => {
    const { person, organizationId } = await people.owner();
    const email = anAddress();
    const invite = () =>
      call(person, organizationId, 'POST /invitations', { email, role: 'member' });
    const replies = await Promise.all(Array.from({ length: 20 }, invite));
    expect(new Set(replies.map(({ status }) => status))).to.deep.equal(new Set([201]));
    expect(new Set(replies.map(({ json }) => json['invitationId']))).to.have.property('size', 20);
    const rows = people.db.selectFrom('invitations').selectAll().where('email', '=', email);
    const [{ id } = { id: '' }, ...others] = await rows.execute();
    expect(others).to.deep.equal([]);
    const joining = elsewhere.browser();
    const user = { name: 'J', email, password, invitationId: id };
    expect((await joining.post('/auth/sign-up/email', user)).status).to.equal(200);
    await joining.signIn(email);
    const accepts = [1, 2].map(() => joining.post(`/account/invitations/${id}/accept`));
    expect((await Promise.all(accepts)).map(({ status }) => status)).to.have.members([200, 404]);
  });
});
