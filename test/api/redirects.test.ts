import { expect } from 'chai';
import fc from 'fast-check';
import { fromHere } from '../helpers/api.ts';
import { startForgedOidc } from '../helpers/forgedOidc.ts';
import { anAddress, type Browser, type People, startPeople } from '../helpers/people.ts';
import { casesIn, casesOf } from '../helpers/cases.ts';

const origin = 'http://console.localhost:3000';
const publicUrl = () => new URL(origin);

const examples = [
  '/..//evil.test/login',
  '/.//evil.test',
  '/a/..//evil.test',
  '/%2e%2e//evil.test',
  '/%2E%2e/%2e//evil.test',
  '/.\\/evil.test',
  '//evil.test',
  '/\\evil.test',
  '\\\\evil.test',
  '/\\/evil.test',
  '///evil.test',
  '/\t/evil.test',
  '/\n/evil.test',
  '/\r\n/evil.test',
  'https://evil.test',
  'http:evil.test',
  'https:/evil.test',
  'HTTPS:\\\\evil.test',
  'javascript:alert(1)',
  'data:text/html,x',
  `${origin}@evil.test`,
  `${origin}.evil.test`,
  'http://console.localhost:3000@evil.test/',
  `${origin}//evil.test`,
  '@evil.test',
  '.evil.test',
  '/\u2044evil.test',
  '/\uff0fevil.test',
  '/\u29f8/evil.test',
  '/\u3000/evil.test',
  '/\0/evil.test',
  ' //evil.test',
  '\u00a0//evil.test',
  '/%2f%2fevil.test',
  '/%5cevil.test',
  '/%09/evil.test',
  '/;//evil.test',
  '/?//evil.test',
  '/#//evil.test',
  '',
  '.',
  '..',
  '../..//evil.test',
];
const parts = [
  '/',
  '//',
  '\\',
  '.',
  '..',
  '%2e',
  '%2f',
  '%5c',
  '\t',
  '\n',
  '\0',
  ' ',
  '@',
  ':',
  '?',
  '#',
  ';',
  'evil.test',
  'https:',
  'x',
  '\u2044',
  '\uff0f',
];
const hostile = fc.oneof(
  fc.constantFrom(...examples),
  fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((texts) => texts.join('')),
  fc.array(fc.constantFrom(...parts), { maxLength: 8 }).map((texts) => `/${texts.join('')}`),
);

/** Where a browser goes that is at this service and gets this address. */
const followed = (location: string) => new URL(location, `${origin}/auth/callback/oidc`).origin;

describe('a browser that comes back from the OIDC provider', function () {
  this.timeout(240_000);
  let oidc: Awaited<ReturnType<typeof startForgedOidc>>;
  let people: People;
  let visits = 0;
  before(async () => {
    oidc = await startForgedOidc();
    const app = { trustProxy: fromHere };
    people = await startPeople({ publicUrl, signUp: 'open', oidc, app });
  });
  after(async () => {
    await people.close();
    oidc.close();
  });

  const newBrowser = (): Browser => {
    const browser = people.browser();
    browser.headers = { 'x-forwarded-for': `2001:db8:${(visits += 1).toString(16)}::1` };
    return browser;
  };

  it('stays on this service, whatever addresses were asked for', async () => {
    const claims = { sub: 'one', email: anAddress(), email_verified: true };
    const sent = async (asked: object, query: Record<string, string> = {}): Promise<void> => {
      const { status, location } = await oidc.signIn(newBrowser(), { claims }, { asked, query });
      expect(status, JSON.stringify({ asked, query })).to.be.oneOf([302, 400]);
      if (status === 302)
        expect(followed(location), JSON.stringify({ asked, query })).to.equal(origin);
    };
    const paths = ['/sites', '/tasks/bg-1?tab=a,b&x=%20~', '/shared/a%20b#key=x'];
    for (const path of paths) {
      const { location } = await oidc.signIn(
        newBrowser(),
        { claims },
        { asked: { callbackURL: path } },
      );
      expect(location).to.equal(path);
    }
    const failed = { error: 'access_denied' };
    const cases = [...casesIn(examples), ...fc.sample(hostile, casesOf(150))];
    for (const address of cases) {
      await sent({ callbackURL: address });
      await sent({ errorCallbackURL: address }, failed);
    }
    for (const address of casesIn(examples)) {
      for (const name of [
        'newUserCallbackURL',
        'redirectTo',
        'redirectURL',
        'errorURL',
        'callback',
      ])
        expect(
          (await newBrowser().post('/auth/sign-in/social', { provider: 'oidc', [name]: address }))
            .status,
        ).to.equal(400);
      const named = [
        'callbackURL',
        'errorCallbackURL',
        'newUserCallbackURL',
        'redirectTo',
        'error',
        'error_description',
      ];
      for (const name of named) await sent({}, { [name]: address });
    }
  });

  it('is rejected if it has a parameter twice, and is signed in only by its own request', async () => {
    for (const name of ['code', 'state', 'error', 'iss'])
      for (const method of ['GET', 'HEAD']) {
        const reply = await newBrowser().send(method, `/auth/callback/oidc?${name}=a&${name}=b`);
        expect(reply.status, `${method} ${name}`).to.equal(400);
      }
    for (const query of ['', '?code=a&state=b', '?error=x', '?state=%00', '?__proto__=1']) {
      const reply = await newBrowser().send('HEAD', `/auth/callback/oidc${query}`);
      expect([reply.status, reply.headers.get('location')], query).to.deep.equal([302, '/sign-in']);
    }
  });
});
