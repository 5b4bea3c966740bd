import { expect } from 'chai';
import { addUser } from '../../src/accounts/addPeople.ts';
import { createMail } from '../../src/accounts/mail.ts';
import { createLogger } from '../../src/log.ts';
import { bearer, fromHere } from '../helpers/api.ts';
import { startOidc } from '../helpers/oidcServer.ts';
import { anAddress, type Browser, password, type People, startPeople } from '../helpers/people.ts';
import { startSmtp } from '../helpers/smtpReceiver.ts';

const origin = 'http://console.localhost:3000';
const publicUrl = () => new URL(origin);

describe('accounts with a mail server', function () {
  this.timeout(120_000);
  let smtp: Awaited<ReturnType<typeof startSmtp>>;
  let people: People;
  before(async () => {
    smtp = await startSmtp();
    const mail = createMail({
      smtpUrl: smtp.url,
      from: 'Console <console@example.com>',
      log: createLogger('silent'),
    });
    people = await startPeople({ mail, signUp: 'open', publicUrl });
  });
  after(async () => {
    await people.close();
    await smtp.close();
  });
  const tokenIn = (letter: string) => /\/welcome#token=([\w-]+)/.exec(letter)![1]!;
  const signUp = (email: string, secret = password) =>
    people.browser().post('/auth/sign-up/email', { name: 'Ada', email, password: secret });

  it('anybody may sign up and must confirm the e-mail address first; a known address gets the same answer and a link', async () => {
    const email = anAddress();
    const first = await signUp(email);
    expect([first.status, first.text]).to.deep.equal([200, '{}']);
    const [letter] = await smtp.to(email);
    const person = people.browser();
    expect((await person.signIn(email)).status).to.equal(403);
    expect((await person.signIn(email, 'wrong horse battery')).status).to.equal(401);
    const again = await signUp(email, 'the password of a thief');
    expect([again.status, again.text]).to.deep.equal([200, '{}']);
    expect(await smtp.to(email, 2)).to.have.length(2);
    const chosen = 'my own horse battery';
    const use = { token: tokenIn(letter!), password: chosen };
    expect((await person.post('/account/link', use)).status).to.equal(200);
    expect((await person.signIn(email, chosen)).status).to.equal(200);
    expect((await people.browser().signIn(email, 'the password of a thief')).status).to.equal(401);
    const { status } = await person.post('/account/organizations', { name: 'Own' });
    expect(status).to.equal(201);
    expect((await person.get('/account')).json['organizations']).to.have.nested.property(
      '[0].role',
      'owner',
    );
  });

  it('after an earlier sign-up, the person who confirms the address chooses a new password, and the earlier one is void', async () => {
    const thief = 'the password of a thief';
    for (const order of [[thief, password], [password, thief], [thief]]) {
      const email = anAddress('victim');
      for (const secret of order) expect((await signUp(email, secret)).status).to.equal(200);
      const letters = await smtp.to(email, order.length);
      const person = people.browser();
      const token = tokenIn(letters.at(-1)!);
      const { json } = await person.post('/account/link/check', { token });
      expect(json).to.deep.equal({ purpose: 'sign-in', email, needsPassword: true });
      expect((await person.post('/account/link', { token })).status).to.equal(200);
      for (const secret of order)
        expect((await people.browser().signIn(email, secret)).status).to.equal(401);
      expect((await person.get('/account')).json).to.have.nested.property('user.email', email);
    }
  });

  it("mails at most three links to people who can't sign in, and answers the same for an unknown address", async () => {
    const { email } = await people.owner();
    const ask = (address: string) =>
      people.browser().post('/account/link/request', { email: address });
    const replies = [
      await ask(anAddress('nobody')),
      await ask(email),
      await ask(email),
      await ask(email),
      await ask(email),
    ];
    for (const { status, text } of replies) expect([status, text]).to.deep.equal([202, '{}']);
    const letters = await smtp.to(email, 3);
    expect(
      (await people.browser().post('/account/link', { token: tokenIn(letters[0]!) })).status,
    ).to.equal(200);
    await people.accounts.mail.close();
    expect(smtp.letters.filter((letter) => letter.includes(email))).to.have.length(3);
    expect(smtp.letters.join('')).to.not.include('nobody');
  });

  /**
   * Invites with a key of a session, or of a program. @returns what tells whether a letter was sent
   */
  function inviter(apiKey: unknown) {
    const headers = { ...bearer(String(apiKey)), 'content-type': 'application/json' };
    return async (address: string) => {
      const body = JSON.stringify({ email: address, role: 'member' });
      const reply = await people.api.request('POST', '/api/v1/invitations', { headers, body });
      return [reply.status, reply.json['sent'], typeof reply.json['url']];
    };
  }
  const [mailed, notMailed] = [true, false].map((sent) => [201, sent, 'string']);

  it('mails three invitations an hour to one address per organization; further invitations still have their link', async () => {
    const email = anAddress('Invited');
    const inviterOf = async (name: string) => {
      const { person, organizationId } = await people.owner(name);
      return inviter((await person.post('/account/key', { organizationId })).json['apiKey']);
    };
    const [one, other] = [await inviterOf('ada'), await inviterOf('grace')];
    for (const address of [email, email.toLowerCase(), email.toUpperCase()])
      expect(await one(address)).to.deep.equal(mailed);
    expect(await one(email)).to.deep.equal(notMailed);
    for (let i = 0; i < 3; i++) expect(await other(email)).to.deep.equal(mailed);
    expect(await other(email)).to.deep.equal(notMailed);
    expect(await one(anAddress('Invited'))).to.deep.equal(mailed);
    expect(
      smtp.letters.filter((letter) => letter.includes(`To: ${email.toLowerCase()}`)),
    ).to.have.length(6);
  });

  /** @returns how many of so many letters to as many people were sent */
  async function mailedOf(
    count: number,
    invite: (address: string) => Promise<unknown[]>,
  ): Promise<number> {
    const replies = await Promise.all(
      Array.from({ length: count }, () => invite(anAddress('many'))),
    );
    expect(replies.map(([status]) => status)).to.deep.equal(Array<number>(count).fill(201));
    return replies.filter(([, sent]) => sent === true).length;
  }

  it('mails fifty invitations a day per organization, whatever number of keys and people sends them', async () => {
    const { person, organizationId } = await people.owner('many');
    const session = inviter((await person.post('/account/key', { organizationId })).json['apiKey']);
    const program = async () =>
      inviter(
        (await people.keys.create({ organizationId, role: 'admin', createdBy: null })).apiKey,
      );
    const [first, second] = [await program(), await program()];
    expect(await mailedOf(20, first)).to.equal(20);
    expect(await mailedOf(20, second)).to.equal(20);
    expect(await mailedOf(20, session)).to.equal(10);
    for (const invite of [first, second, session, await program()])
      expect(await mailedOf(2, invite)).to.equal(0);
  });

  /** The lines of the only letter to an address, as its text has them. */
  async function linesTo(address: string): Promise<{ head: string; lines: string[] }> {
    const [letter = ''] = await smtp.to(address);
    const at = letter.indexOf('\r\n\r\n');
    const head = letter.slice(0, at).replace(/\r\n[ \t]+/g, ' ');
    const body = letter.slice(at + 4);
    const encoded = /^content-transfer-encoding: base64/im.test(head);
    const text = encoded ? Buffer.from(body, 'base64').toString() : readQuoted(body);
    return { head, lines: text.split(/\r?\n/).filter((line) => line !== '') };
  }
  const readQuoted = (text: string) =>
    Buffer.from(
      text.replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
      'latin1',
    ).toString();

  it('says in the invitation letter who invites, and that the person chose the name', async () => {
    const { person, email, organizationId } = await people.owner();
    const { json } = await person.post('/account/key', { organizationId });
    const address = anAddress('letter');
    await inviter(json['apiKey'])(address);
    const { head, lines } = await linesTo(address);
    expect(head).to.include('Subject: Invitation to Acme');
    expect(lines[0])
      .to.contain(`Ada (${email})`)
      .and.to.match(/"Acme".*\bmember\b/);
    expect(lines[1]).to.match(/chose the name "Acme"/);

    const { userId } = (await person.get('/account')).json['user'] as { userId: string };
    const made = await people.keys.create({ organizationId, role: 'admin', createdBy: { userId } });
    const program = await people.keys.create({ organizationId, role: 'admin', createdBy: null });
    const [byKey, byProgram] = [anAddress('letter'), anAddress('letter')];
    await inviter(made.apiKey)(byKey);
    await inviter(program.apiKey)(byProgram);
    expect((await linesTo(byKey)).lines[0])
      .to.contain(`Ada (${email})`)
      .and.to.match(/"Acme".*\bmember\b/);
    expect((await linesTo(byProgram)).lines[0])
      .to.match(/program.*"Acme".*\bmember\b/)
      .and.to.not.contain('Ada');
  });

  it('contains only its own addresses, links and header fields in a letter, whatever a name in the database contains', async () => {
    const hostile = [
      'Pay at https://evil.test/login',
      'evil.test',
      'support@evil.test',
      '203.0.113.7',
      'ｅｖｉｌ。ｔｅｓｔ',
      'Acme\r\nBcc: x@evil.test',
      'Acme\n\nOpen evil.test',
      'Acme\r\n.\r\nMAIL FROM:<x>',
      'A\u2028B',
      'A\0B'.replace('\0', '\x01'),
      '\u202etset.live',
      'Ac\u200bme',
      '\ufeff',
      ' ',
      '=?utf-8?q?evil=2Etest?=',
      'x'.repeat(5_000),
    ];
    for (const name of hostile) {
      const { person, email, organizationId } = await people.owner();
      const { json } = await person.post('/account/key', { organizationId });
      await people.db
        .updateTable('organizations')
        .set({ name })
        .where('id', '=', organizationId)
        .execute();
      await people.db.updateTable('users').set({ name }).where('email', '=', email).execute();
      const address = anAddress('letter');
      await inviter(json['apiKey'])(address);
      const { head, lines } = await linesTo(address);
      expect(lines, name).to.have.length(4);
      expect(
        head.split('\r\n').map((line) => line.split(':')[0]),
        name,
      ).to.not.include('Bcc');
      const others = [head, ...lines].join('\n').replaceAll(email, '').replaceAll(origin, '');
      expect(others, name).to.not.match(/evil|203\.0|[\u200b\u202e\u2028\ufeff]/i);
      expect(lines.slice(0, 2).join('').length, name).to.be.below(600);
    }
  });

  it('lets a person own twenty organizations, also if many are requested at once', async () => {
    const { person } = await people.owner('owner');
    const make = () => person.post('/account/organizations', { name: 'One more' });
    const statuses = async (count: number) =>
      (await Promise.all(Array.from({ length: count }, make))).map(({ status }) => status).sort();
    expect(await statuses(22)).to.deep.equal([
      ...Array<number>(19).fill(201),
      ...Array<number>(3).fill(409),
    ]);
    const { code, json } = await make();
    expect(code).to.equal('CONFLICT');
    expect(json['error']).to.match(/\b20 organizations\b/);
    expect((await person.get('/account')).json['organizations']).to.have.length(20);
  });
});

describe('accounts with an OIDC provider', function () {
  this.timeout(120_000);
  let oidc: Awaited<ReturnType<typeof startOidc>>;
  let people: People;
  before(async () => {
    oidc = await startOidc(`${origin}/auth/callback/oidc`);
    people = await startPeople({
      publicUrl,
      oidc,
      app: { trustProxy: fromHere },
    });
  });
  after(async () => {
    await people.close();
    oidc.close();
  });

  /** Goes to the provider and comes back. @returns where the console sends the browser then */
  async function signIn(browser: Browser): Promise<string> {
    const { status, json } = await browser.post('/auth/sign-in/social', {
      provider: 'oidc',
      callbackURL: '/sites',
    });
    expect([status, json['error']]).to.deep.equal([200, undefined]);
    const back = new URL(await oidc.follow(json['url'] as string));
    expect(back.origin + back.pathname).to.equal(`${origin}/auth/callback/oidc`);
    const reply = await browser.get(back.pathname + back.search);
    expect(reply.status).to.equal(302);
    return reply.headers.get('location')!;
  }
  const claims = (email: string, email_verified = true) => ({ email, email_verified, name: 'Ada' });

  it('creates an account for an invited address, and signs it in from then on', async () => {
    const { person, organizationId } = await people.owner();
    const { json } = await person.post('/account/key', { organizationId });
    const email = anAddress('sso');
    const headers = { ...bearer(json['apiKey'] as string), 'content-type': 'application/json' };
    const body = JSON.stringify({ email, role: 'member' });
    const invited = await people.api.request('POST', '/api/v1/invitations', { headers, body });
    const browser = people.browser();
    oidc.signInAs('sub-1', claims(email, false));
    expect(await signIn(browser)).to.match(/\/sign-in\?error=/);
    expect((await browser.get('/account')).status).to.equal(401);
    oidc.signInAs('sub-1', claims(email));
    expect(await signIn(browser)).to.match(/\/sites$/);
    expect(
      (await browser.post(`/account/invitations/${invited.json['invitationId']}/accept`)).status,
    ).to.equal(200);
    const again = people.browser();
    await signIn(again);
    expect((await again.get('/account')).json).to.have.nested.property('user.email', email);
    const kept = await people.db
      .selectFrom('user_accounts')
      .selectAll()
      .where('provider_id', '=', 'oidc')
      .execute();
    for (const row of kept)
      expect(row).to.include({ access_token: null, refresh_token: null, id_token: null });
  });

  it('creates no account without an invitation, and takes over no account whose address is not confirmed', async () => {
    const browser = people.browser();
    oidc.signInAs('sub-2', claims(anAddress('stranger')));
    expect(await signIn(browser)).to.match(/\/sign-in\?error=/);
    const taken = anAddress('taken');
    await addUser(people.db, { name: 'Somebody', email: taken });
    oidc.signInAs('sub-3', claims(taken));
    expect(await signIn(browser)).to.match(/\/sign-in\?error=account_not_linked/);
    expect((await browser.get('/account')).status).to.equal(401);
  });

  it('connects to an account whose address is confirmed', async () => {
    const { email, organizationId } = await people.owner();
    const browser = people.browser();
    oidc.signInAs('sub-5', claims(email));
    await signIn(browser);
    expect((await browser.get('/account')).json).to.have.nested.property('user.email', email);
    const { entries } = await people.audit.list(organizationId, { limit: 10 });
    expect(entries.map(({ action, subject }) => [action, subject])).to.deep.equal([
      ['session.begin', 'provider'],
      ['session.begin', 'link'],
    ]);
  });

  it('rejects an answer that another browser asked for', async () => {
    const [victim, thief] = [people.browser(), people.browser()];
    const { json } = await thief.post('/auth/sign-in/social', { provider: 'oidc' });
    oidc.signInAs('sub-4', claims(anAddress()));
    const back = new URL(await oidc.follow(json['url'] as string));
    const reply = await victim.get(back.pathname + back.search);
    expect(reply.headers.get('location')).to.match(/error=state/);
    expect(victim.cookies.has('agent_tasks.session_token')).to.equal(false);
  });

  it('disables only its own button while the provider is down', async () => {
    const first = await startOidc(`${origin}/auth/callback/oidc`);
    first.close();
    const down = await startPeople({ publicUrl, oidc: first });
    const { email } = await down.owner();
    const toProvider = () => down.browser().post('/auth/sign-in/social', { provider: 'oidc' });
    expect((await toProvider()).status).to.equal(503);
    expect((await down.browser().signIn(email)).status).to.equal(200);
    const back = await startOidc(
      `${origin}/auth/callback/oidc`,
      Number(new URL(first.issuer).port),
    );
    const { status, json } = await toProvider();
    expect([status, String(json['url']).startsWith(back.issuer)]).to.deep.equal([200, true]);
    back.close();
    await down.close();
  });
});
