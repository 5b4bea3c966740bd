import { expect } from 'chai';
import { availableParallelism } from 'node:os';
import { createPasswordQueue } from '../../src/accounts/passwords.ts';
import { createSignInLimits } from '../../src/api/middleware/signInLimits.ts';
import { fromHere } from '../helpers/api.ts';
import { anAddress, password, startPeople } from '../helpers/people.ts';
import { until } from '../helpers/until.ts';

/** Passwords whose hashing ends when the test says so. */
function heldPasswords() {
  const running = new Set<() => void>();
  const begun: string[] = [];
  let most = 0;
  let isHeld = false;
  async function work(text: string) {
    begun.push(text);
    if (!isHeld) return;
    await new Promise<void>((resolve) => {
      running.add(resolve);
      most = Math.max(most, running.size);
    });
  }
  return {
    passwords: {
      hash: async (text: string) => (await work(text), `hash of ${text}`),
      verify: async ({ hash, password: text }: { hash: string; password: string }) => (
        await work(text),
        hash === `hash of ${text}`
      ),
    },
    begun,
    running,
    most: () => most,
    hold: () => (isHeld = true),
    /** Ends one after the other, until nobody comes any more. */
    async release(all: Promise<unknown>) {
      let isOver = false;
      void all.then(() => (isOver = true));
      await until(
        'all passwords',
        () => {
          for (const end of running) running.delete(end) && end();
          return isOver || undefined;
        },
        30_000,
        5,
      );
    },
  };
}

describe('passwords', function () {
  this.timeout(60_000);
  const atOnce = Math.min(2, Math.max(1, availableParallelism() - 1));

  it('are hashed a few at a time for sign-ins, sign-ups and changes, while other requests continue', async () => {
    const held = heldPasswords();
    const people = await startPeople({
      app: { trustProxy: fromHere },
      passwords: held.passwords,
      signUp: 'open',
    });
    const { person, email } = await people.owner();
    const browsers = Array.from({ length: 40 }, (_, n) => {
      const browser = people.browser();
      browser.headers = { 'x-forwarded-for': `198.51.100.${n % 8}` };
      return browser;
    });
    const { url } = await people.accounts.createSignInLink((await people.owner('grace')).email);
    const token = new URL(url).hash.slice('#token='.length);
    held.hold();
    const asked = Promise.all([
      ...browsers.slice(0, 20).map((browser) => browser.signIn(email)),
      ...browsers.slice(20, 30).map((browser) => browser.signIn(anAddress('unknown'))),
      ...browsers.slice(30).map((browser) => {
        const user = { name: 'New', email: anAddress('new'), password };
        return browser.post('/auth/sign-up/email', user);
      }),
      person.post('/auth/change-password', { currentPassword: password, newPassword: password }),
      people.browser().post('/account/link', { token, password }),
    ]);
    await until('the first password', () => held.running.size >= atOnce || undefined);
    expect((await person.get('/account')).status, 'meanwhile').to.equal(200);
    expect((await people.browser().get('/account/options')).status, 'meanwhile').to.equal(200);
    await held.release(asked);
    expect(held.most()).to.equal(atOnce);
    await people.close();
  });

  it('are hashed in turns, so that many from one address delay neither other people nor a known browser there', async () => {
    const limits = createSignInLimits(Buffer.alloc(32, 8));
    const office = { email: anAddress(), network: '192.0.2.1' };
    const device = limits.remember(office.email);
    const turnOf = async (attempt: typeof office & { device?: string }) =>
      (await limits.count(attempt)).queueKey;
    const own = [
      await turnOf({ ...office, device }),
      await turnOf({ ...office, network: '192.0.2.2' }),
    ];
    const { passwords, runForCaller } = createPasswordQueue(heldPasswords().passwords, 1);
    const order: string[] = [];
    const hash = (queueKey: string) =>
      runForCaller(queueKey, async () => {
        await passwords.hash('x');
        order.push(queueKey);
      });
    const others = [];
    for (let n = 0; n < 9; n++) others.push(await turnOf({ ...office, email: anAddress() }));
    await Promise.all([...others, ...own].map(hash));
    expect(order.slice(0, 4)).to.have.members([others[0], others[1], ...own]);
  });

  it('start at most 50 sessions of a person, and end the one that was used longest ago', async () => {
    const people = await startPeople();
    const { person, email } = await people.owner();
    const sessions = () =>
      people.db
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select('sessions.id')
        .where('users.email', '=', email)
        .execute();
    const first = people.browser();
    await first.signIn(email);
    const browser = people.browser();
    for (let n = 0; n < 49; n++) expect((await browser.signIn(email)).status).to.equal(200);
    expect(await sessions()).to.have.length(50);
    expect((await person.get('/account')).status, 'the oldest one').to.equal(401);
    expect((await first.get('/account')).status, 'the second one').to.equal(200);
    await people.close();
  });
});
