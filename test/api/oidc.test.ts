import { expect } from 'chai';
import { fromHere } from '../helpers/api.ts';
import { type Forgery, startForgedOidc } from '../helpers/forgedOidc.ts';
import { anAddress, type People, startPeople } from '../helpers/people.ts';

const origin = 'http://console.localhost:3000';
const publicUrl = () => new URL(origin);

/** What JSON can be instead of what it should be. */
const values: unknown[] = [
  true,
  false,
  'true',
  'TRUE',
  '',
  ' ',
  0,
  1,
  ['true'],
  {},
  null,
  undefined,
];
const named = (value: unknown) => JSON.stringify(value) ?? 'nothing';

describe('a dishonest OIDC provider', function () {
  this.timeout(240_000);
  let oidc: Awaited<ReturnType<typeof startForgedOidc>>;
  let people: People;
  before(async () => {
    oidc = await startForgedOidc();
    people = await startPeople({
      publicUrl,
      signUp: 'open',
      oidc,
      app: { trustProxy: fromHere },
    });
  });
  after(async () => {
    await people.close();
    oidc.close();
    expect(people.logs.join(''), 'tokens and claims in the log').to.not.match(/eyJ|@example\.com/);
  });

  let visits = 0;
  let subjects = 0;
  const newSubject = () => `sub-${(subjects += 1)}`;

  /** Each time from another address: one may go to the provider so often only. */
  function comeBack(forgery: Forgery) {
    const browser = people.browser();
    browser.headers = { 'x-forwarded-for': `2001:db8:${(visits += 1).toString(16)}::1` };
    return oidc.signIn(browser, forgery);
  }
  /** Comes back as somebody whom nobody should let in. */
  async function expectRefused(what: string, forgery: Forgery): Promise<void> {
    const { status, location, user } = await comeBack(forgery);
    expect([what, status, user]).to.deep.equal([what, 302, undefined]);
    expect(location, what).to.match(/\/sign-in\?error=/);
  }
  const verified = (email: string) => ({
    sub: newSubject(),
    email,
    email_verified: true,
    name: 'Ada',
  });

  it('signs in the person whom it marks as verified, also with the string "true"', async () => {
    for (const email_verified of [true, 'true']) {
      const email = anAddress();
      const { user } = await comeBack({ claims: { ...verified(email), email_verified } });
      expect(user).to.include({ name: 'Ada', email });
    }
  });

  describe('takes over no account, and creates none,', () => {
    const claims = (email: string, email_verified: unknown) => ({
      ...verified(email),
      email_verified,
    });
    for (const value of values.filter((value) => value !== true && value !== 'true'))
      it(`with email_verified ${named(value)}, in the ID token or from userinfo`, async () => {
        const { email: owner } = await people.owner();
        for (const email of [owner, anAddress('new')]) {
          const said = claims(email, value);
          await expectRefused('ID token', { claims: said });
          await expectRefused('userinfo', { claims: { sub: said.sub }, userinfo: said });
          const without = { ...said, email_verified: undefined };
          await expectRefused('split', {
            claims: without,
            userinfo: { ...said, email_verified: true },
          });
        }
        expect(await ways(owner)).to.deep.equal(['credential']);
      });
  });

  /** How a person may sign in. */
  async function ways(email: string): Promise<string[]> {
    const accounts = people.db
      .selectFrom('user_accounts')
      .innerJoin('users', 'users.id', 'user_accounts.user_id');
    const found = await accounts.select('provider_id').where('email', '=', email).execute();
    return found.map(({ provider_id }) => provider_id);
  }

  describe('lets nobody in by a claim with a wrong value:', () => {
    for (const claim of ['sub', 'email', 'iss', 'aud', 'exp', 'nonce', 'iat'])
      it(claim, async () => {
        const { email } = await people.owner();
        const isRight = (value: unknown) =>
          claim === 'sub'
            ? typeof value === 'string' && value !== '' && value !== ' '
            : isTime(claim, value);
        for (const value of values.filter((value) => !isRight(value)))
          await expectRefused(named(value), { claims: { ...verified(email), [claim]: value } });
      });
    const isTime = (claim: string, value: unknown) => claim === 'iat' && typeof value === 'number';
  });

  it('needs a current ID token that is signed with its key for this service, once', async () => {
    const { email } = await people.owner();
    const now = Math.floor(Date.now() / 1000);
    const table: Record<string, Forgery> = {
      'no ID token': { idToken: undefined },
      'no ID token, but userinfo': { idToken: undefined, userinfo: verified(email) },
      'an ID token of another type': { idToken: 17 },
      'an ID token that is no JWT': { idToken: 'eyJ.e30' },
      'an ID token of objects': { idToken: {} },
      'no signature': { header: { alg: 'none' } },
      'a signature by another key': { isForeign: true },
      'an unknown key': { header: { kid: 'other' } },
      'a symmetric signature': { header: { alg: 'HS256' } },
      'an algorithm that was not named': { header: { alg: 'RS512' } },
      'critical extensions': { header: { crit: ['x'], x: 1 } },
      'another issuer': { claims: { iss: 'https://elsewhere.example' } },
      'another audience': { claims: { aud: 'somebody else' } },
      'several audiences': { claims: { aud: ['agent-tasks', 'somebody else'] } },
      'another party': { claims: { aud: ['agent-tasks', 'other'], azp: 'other' } },
      'an ID token that is over': { claims: { exp: now - 3_600 } },
      'an ID token of the future': { claims: { nbf: now + 3_600 } },
      'another nonce': { claims: { nonce: 'another nonce' } },
      'userinfo of somebody else': {
        claims: { email: undefined },
        userinfo: { ...verified(email), sub: 'somebody else' },
      },
    };
    for (const [what, forgery] of Object.entries(table)) {
      const claims = { ...verified(email), ...forgery.claims };
      await expectRefused(what, { ...forgery, claims });
    }
    expect(await ways(email)).to.deep.equal(['credential']);
  });

  it("can't bring in an e-mail address that the sign-up rejects", async () => {
    const wrong = [
      'ada',
      'a\r\nb@example.com',
      'a\u202eb@example.com',
      '\u200ba@example.com',
      'a b@example.com',
    ];
    for (const email of [...wrong, `${'a'.repeat(250)}@example.com`, `Ada <ada@example.com>`])
      await expectRefused(email, { claims: verified(email) });
  });

  it("can't let anybody into an account whose address only looks the same", async () => {
    for (const [known, given] of [
      ['kate', '\u212aate'],
      ['frank', 'fran\u212a'],
      ['asa', '\uff41sa'],
      ['fi', '\ufb01'],
    ]) {
      const [, domain = ''] = anAddress().split('-', 2);
      const email = (name: string | undefined) => `${name}-${domain}@example.com`;
      await comeBack({ claims: verified(email(known)) });
      await expectRefused(`${given}`, { claims: verified(email(given)) });
    }
  });

  it("can't exceed limits: huge answers, redirects, and slow and broken answers end at the sign-in", async () => {
    const { email } = await people.owner();
    const elsewhere: string[] = [];
    const table: Record<string, (path: string) => void> = {
      huge: (path) =>
        oidc.instead.set(path, (_, res) => {
          res.writeHead(200, { 'content-type': 'application/json' });
          const write = (): void =>
            void (res.closed || res.write(' '.repeat(65_536), () => setImmediate(write)));
          write();
        }),
      redirect: (path) =>
        oidc.instead.set(path, (req, res) => {
          if (req.url?.includes('moved')) elsewhere.push(req.url);
          res.writeHead(307, { location: `${path}?moved` }).end();
        }),
      slow: (path) =>
        oidc.instead.set(path, (_, res) => {
          res.writeHead(200, { 'content-type': 'application/json' }).write('{');
        }),
      broken: (path) => oidc.instead.set(path, (_, res) => void res.destroy()),
      'not JSON': (path) => oidc.instead.set(path, (_, res) => void res.end('<html>')),
    };
    for (const [what, spoil] of Object.entries(table))
      for (const path of ['/token', '/userinfo']) {
        spoil(path);
        const claims = { ...verified(email), ...(path === '/userinfo' && { email: undefined }) };
        await expectRefused(`${what} ${path}`, { claims, userinfo: verified(email) });
        oidc.instead.clear();
      }
    expect(elsewhere).to.deep.equal([]);
  });

  it('with impossible metadata is not used, and its button answers 503', async () => {
    const table: Record<string, object> = {
      'another issuer': { issuer: 'https://elsewhere.example' },
      'no keys': { jwks_uri: undefined },
      'a script': { authorization_endpoint: 'javascript:alert(1)' },
      'no address': { authorization_endpoint: 17 },
    };
    for (const [what, fields] of Object.entries(table)) {
      const liar = await startForgedOidc();
      liar.describe(fields as Record<string, unknown>);
      const asked = await startPeople({ publicUrl, oidc: liar });
      const { status, text } = await asked
        .browser()
        .post('/auth/sign-in/social', { provider: 'oidc' });
      expect([what, status]).to.deep.equal([what, 503]);
      expect(text).to.not.include('javascript:');
      await asked.close();
      liar.close();
    }
  });
});
