import { expect } from 'chai';
import type { Pool } from 'pg';
import { createSignInLimits, type SignInLimits } from '../../src/api/middleware/signInLimits.ts';
import { fromHere } from '../helpers/api.ts';
import { bearer, type Reply } from '../helpers/api.ts';
import { testPool } from '../helpers/database.ts';
import { anAddress, type Browser, password, type People, startPeople } from '../helpers/people.ts';

const secret = Buffer.alloc(32, 8);
const OFFICE = '203.0.113.7';
/**
 * The most guesses of a limit that is tried with PostgreSQL too: memory counts those of the others,
 * by the same policies, and a store counts to a hundred as it counts to three thousand.
 */
const MOST_IN_POSTGRES = 100;
const times = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

describe('limits of signing in, over HTTP', function () {
  this.timeout(120_000);
  let people: People;
  beforeEach(async () => {
    const signInLimits = createSignInLimits(secret);
    people = await startPeople({ app: { trustProxy: fromHere, signInLimits } });
  });
  afterEach(() => people.close());

  const at = (address: string, browser: Browser = people.browser()) => {
    browser.headers = { 'x-forwarded-for': address };
    return browser;
  };
  const wrong = (browser: Browser, email: string) => browser.signIn(email, 'wrong horse battery');
  const askForLink = (browser: Browser, email: string) =>
    browser.post('/account/link/request', { email });
  const change = (browser: Browser, currentPassword: string, newPassword = currentPassword) =>
    browser.post('/auth/change-password', { currentPassword, newPassword });
  const signUp = (browser: Browser, email: string, invitationId?: string) =>
    browser.post('/auth/sign-up/email', { name: 'x', email, password, invitationId });

  /** All that a neighbour can send, a good deal more than an office does. */
  async function annoy(neighbour: Browser, emails: string[]) {
    const strangers = Array.from({ length: 3 }, () => anAddress('stranger'));
    for (const email of [...strangers, ...emails])
      await times(12, (n) => (n % 2 ? wrong(neighbour, email) : wrong(people.browser(), email)));
    for (const email of [...strangers, ...emails])
      await times(12, () => askForLink(neighbour, email));
    for (const email of [...strangers, ...emails]) await times(12, () => signUp(neighbour, email));
  }

  async function invite(person: Browser, organizationId: string, email: string) {
    const { json } = await person.post('/account/key', { organizationId });
    const invited = await people.api.request('POST', '/api/v1/invitations', {
      headers: { ...bearer(String(json['apiKey'])), 'content-type': 'application/json' },
      body: JSON.stringify({ email, role: 'member' }),
    });
    return String(invited.json['invitationId']);
  }

  it('a neighbour behind the same IP address blocks nobody else', async () => {
    const ada = await people.owner();
    const grace = await people.owner('grace');
    const email = anAddress('new');
    const invitationId = await invite(ada.person, ada.organizationId, email);
    await annoy(at(OFFICE), [ada.email]);
    const known = at(OFFICE, ada.person);
    const answers = {
      'the known browser': await known.signIn(ada.email),
      'its change of the password': await change(known, password),
      'its link': await askForLink(known, ada.email),
      'a new browser': await at(OFFICE).signIn(grace.email),
      'a change of the password elsewhere': await change(at(OFFICE, grace.person), password),
      'a link of somebody else': await askForLink(at(OFFICE), grace.email),
      'a sign-up': await signUp(at(OFFICE), email, invitationId),
    };
    expect(Object.entries(answers).map(([what, { status }]) => [what, status])).to.deep.equal([
      ['the known browser', 200],
      ['its change of the password', 200],
      ['its link', 202],
      ['a new browser', 200],
      ['a change of the password elsewhere', 200],
      ['a link of somebody else', 202],
      ['a sign-up', 200],
    ]);
  });

  it('a browser is known to each of the last five accounts that signed in there', async () => {
    const accounts = [];
    for (let n = 0; n < 6; n++) accounts.push((await people.owner()).email);
    const shared = at(OFFICE);
    for (const email of [...accounts, accounts[5]!]) await shared.signIn(email);
    for (const email of accounts) await times(10, () => wrong(at(OFFICE), email));
    const replies = [];
    for (const email of accounts.slice(1)) replies.push((await shared.signIn(email)).status);
    expect(replies).to.deep.equal([200, 200, 200, 200, 200]);
    expect((await at(OFFICE).signIn(accounts[0]!)).status, 'an unknown browser').to.equal(429);
  });

  it('reveal nothing about whether an account exists', async () => {
    const { email } = await people.owner();
    const bothAlike = async (
      ask: (browser: Browser, email: string) => Promise<Reply>,
      network: string,
    ) => {
      const answers = [];
      for (const address of [email, anAddress()]) {
        const replies = [];
        for (let n = 0; n < 15; n++) replies.push(await ask(at(network), address));
        answers.push(replies.map(({ status, text }) => `${status} ${text}`));
      }
      expect(answers[0]).to.deep.equal(answers[1]);
      return answers[0]!;
    };
    expect(await bothAlike(wrong, '192.0.2.1')).to.include('429 {"error":"Too Many Requests"}');
    expect(await bothAlike(askForLink, '192.0.2.2')).to.include(
      '429 {"error":"Too Many Requests"}',
    );
    expect(await bothAlike((browser, one) => signUp(browser, one), '192.0.2.3')).to.include(
      '429 {"error":"Too Many Requests"}',
    );
  });

  it('bound the guesses of a stolen session, and leave the known browser its own tries', async () => {
    const { person, email } = await people.owner();
    const thief = at(OFFICE);
    const session = '__Host-agent_tasks.session_token';
    thief.cookies.set(session, person.cookies.get(session)!);
    const guesses = await times(30, () =>
      change(thief, 'wrong horse battery', 'another horse battery'),
    );
    expect(guesses.filter(({ status }) => status === 401)).to.have.length(10);
    for (const address of ['192.0.2.1', '192.0.2.2']) {
      const moved = await change(
        at(address, thief),
        'wrong horse battery',
        'another horse battery',
      );
      expect(moved.status, 'also from elsewhere').to.equal(429);
    }
    expect((await change(person, password, 'another horse battery')).status).to.equal(200);
    expect((await people.browser().signIn(email, 'another horse battery')).status).to.equal(200);
  });
});

for (const store of ['memory', 'PostgreSQL'])
  describe(`limits of signing in, counted in ${store}`, function () {
    this.timeout(120_000);
    let pool: Pool | undefined;
    before(async () => {
      if (store === 'PostgreSQL') pool = await testPool();
    });
    beforeEach(() => pool?.query('delete from rate_limits'));

    let limits: SignInLimits;
    beforeEach(() => (limits = createSignInLimits(secret, pool)));

    type Attempt = Parameters<SignInLimits['count']>[0];
    /** How many of these guesses are looked at, of so many that come in a window. */
    async function looked(count: number, attempt: (n: number) => Attempt) {
      const tries = await Promise.allSettled(
        Array.from({ length: count }, (_, n) => limits.count(attempt(n))),
      );
      return tries.filter(({ status }) => status === 'fulfilled').length;
    }
    const email = 'ada@example.com';
    const network = (n: number) => `198.51.${n >> 8}.${n & 255}`;
    const account = (n: number) => `person-${n}@example.com`;
    const forged = (n: number) =>
      ['x', '..', '~~~~', `${'a'.repeat(22)}.${n}.${'b'.repeat(43)}`][n % 4]!;

    for (const [attack, most, attempt] of [
      ['one account from one address', 10, () => ({ email, network: network(0) })],
      [
        'one account in any spelling',
        10,
        (n) => ({ email: n % 2 ? email : 'ADA@Example.COM', network: network(0) }),
      ],
      ['one account from many addresses', 100, (n) => ({ email, network: network(n) })],
      ['many accounts from one address', 1000, (n) => ({ email: account(n), network: network(0) })],
      [
        'one account with forged cookies',
        10,
        (n) => ({ email, network: network(0), device: forged(n) }),
      ],
      [
        "one account with another account's cookies",
        10,
        (n) => ({ email, network: network(0), device: limits.remember(account(n)) }),
      ],
      [
        "many addresses with another account's cookies",
        100,
        (n) => ({ email, network: network(n), device: limits.remember(account(n)) }),
      ],
      [
        'one account with many cookies of its own',
        400,
        (n) => ({ email, network: network(n), device: limits.remember(email) }),
      ],
    ] as [string, number, (n: number) => Attempt][]) {
      if (store === 'PostgreSQL' && most > MOST_IN_POSTGRES) continue;
      it(`${attack}: at most ${most} guesses in a window`, async () => {
        expect(await looked(most + 60, attempt)).to.equal(most);
      });
    }

    it('one account with a cookie of its own: 20 guesses in a window, from anywhere', async () => {
      const device = limits.remember(email);
      expect(await looked(60, (n) => ({ email, network: network(n), device }))).to.equal(20);
    });

    if (store === 'PostgreSQL') return;

    it('lets the known browser sign in, whatever strangers and neighbours sent', async () => {
      const device = limits.remember(email);
      await looked(1100, (n) => ({ email: account(n), network: network(0) }));
      await looked(300, (n) => ({ email, network: network(n), device: forged(n) }));
      expect(await looked(5, () => ({ email, network: network(0) }))).to.equal(0);
      expect(await looked(5, () => ({ email, network: network(0), device }))).to.equal(5);
    });
  });
