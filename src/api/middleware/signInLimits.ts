import type { Pool } from 'pg';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../../errors.ts';
import { accountOf, createKnownBrowsers } from './knownBrowsers.ts';
import { storeOf } from './rateLimit.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/**
 * How many within some seconds, by what they are counted for. Those of an address alone protect the
 * machine: it may be that of a large office. docs/security.md has the numbers of guesses that
 * follow.
 */
const policies = {
  /** Wrong passwords: one account from one address. */
  pair: { points: 10, duration: 15 * MINUTE },
  /** All accounts from one address. */
  address: { points: 1_000, duration: HOUR },
  /** One account from everywhere, except from browsers that are known for it. */
  account: { points: 100, duration: HOUR },
  /** One account from a browser that is known for it, and from all of these. */
  device: { points: 20, duration: 15 * MINUTE },
  devices: { points: 400, duration: HOUR },
  /** One person who changes the password in a browser that is not known. */
  change: { points: 10, duration: 15 * MINUTE },
  /** Right passwords of one account that count for nothing. */
  right: { points: 60, duration: HOUR },
  /**
   * Links, or sign-ups: of one account from one address, of all from one address, of a known
   * browser.
   */
  asked: { points: 10, duration: HOUR },
  askedAtAddress: { points: 1_000, duration: HOUR },
  askedByKnown: { points: 60, duration: HOUR },
  /** Ways to the OIDC provider that begin at one address: each is kept for a while. */
  toProvider: { points: 3_000, duration: 10 * MINUTE },
  toProviderByKnown: { points: 60, duration: 10 * MINUTE },
  /**
   * Invitations that are mailed to one address: by one organization, and by one person for
   * whichever.
   */
  mailed: { points: 3, duration: HOUR },
  /** Invitations that are mailed at all: by one organization, and by one person for whichever. */
  letters: { points: 50, duration: 24 * HOUR },
};
type Policy = keyof typeof policies;
type Counted = [policy: Policy, key: string];
type Stores = Record<Policy, RateLimiterAbstract>;

/** From where somebody asks. */
interface Place {
  /** The client's address; of IPv6, its network. */
  network: string;
  /** The cookie that `remember` gave this browser, if it did. */
  device?: string | undefined;
}

/** Who tries to sign in, and from where. */
export interface Attempt extends Place {
  email: string;
}

/** A request for an account or a link. */
export interface Asked extends Place {
  what: 'link' | 'sign-up';
  email: string;
  /** Of an invitation that is in force for this address: who has it is no stranger. */
  invitationId?: string | undefined;
}

/** A password that may be looked at. */
export interface CountedAttempt {
  /** Whose work it is to hash the password: a known browser does not wait for its neighbours. */
  turn: string;
  /** Takes the count back where the password was right. */
  takeBack: () => Promise<void>;
}

export interface SignInLimits {
  /**
   * Counts an attempt, before its password is looked at: those that come at once are counted too.
   * @throws DomainError TOO_MANY_REQUESTS with the seconds to wait
   */
  count(attempt: Attempt): Promise<CountedAttempt>;
  /**
   * Counts a change of a password, which asks for the present one. @throws DomainError as `count`
   */
  countChange(person: {
    userId: string;
    email: string;
    device?: string | undefined;
  }): Promise<CountedAttempt>;
  /** Counts a request whose answer says nothing. @throws DomainError as `count` */
  countAsked(asked: Asked): Promise<void>;
  /** Counts a way to the OIDC provider that begins. @throws DomainError as `count` */
  countToProvider(place: Place): Promise<void>;
  /**
   * Counts a letter with an invitation for the organization, and for the person. @returns whether
   * it may be sent
   */
  mayMail(
    email: string,
    by: { organizationId: string; userId?: string | undefined },
  ): Promise<boolean>;
  /**
   * The value of a cookie by which a browser is known for this account. @param device its value
   * before
   */
  remember(email: string, device?: string): string;
}

/**
 * Limits wrong passwords by account and address ("Slow Down Online Guessing Attacks with Device
 * Cookies", OWASP). A browser in which the account has signed in before has a limit of its own: so
 * neither a stranger who guesses from many addresses nor a colleague behind the same address locks
 * anybody out.
 * @param pool counts are shared by all processes of this database; without it they are this
 *   process's own
 * @param secret signs what browsers are known by
 */
export function createSignInLimits(secret: Buffer, pool?: Pool): SignInLimits {
  const stores = Object.fromEntries(
    Object.entries(policies).map(([name, policy]) => [
      name,
      storeOf({ keyPrefix: `signIn-${name}`, ...policy }, pool),
    ]),
  ) as Stores;
  const browsers = createKnownBrowsers(secret);

  const knownFor = (account: string, device?: string) =>
    browsers.read(device).find((known) => known.account === account);
  const attempt = (account: string, turn: string, counted: Counted[]) =>
    attemptOf(stores, account, { turn, counted });

  return {
    async count({ email, network, device }) {
      const account = accountOf(email);
      const known = knownFor(account, device);
      if (known) return attempt(account, known.name, ofBrowser(account, known.name));
      await refuseOver(stores.address, network);
      return attempt(account, network, [
        ['pair', `${account} ${network}`],
        ['address', network],
        ['account', account],
      ]);
    },
    countChange({ userId, email, device }) {
      const account = accountOf(email);
      const known = knownFor(account, device);
      const counted: Counted[] = known ? ofBrowser(account, known.name) : [['change', userId]];
      return attempt(account, known?.name ?? userId, counted);
    },
    async countAsked({ what, email, network, device, invitationId }) {
      const known = invitationId ?? browsers.read(device)[0]?.account;
      if (known !== undefined) return consume(stores.askedByKnown, `${what} ${known}`);
      await refuseOver(stores.askedAtAddress, `${what} ${network}`);
      await countAll(stores, [
        ['asked', `${what} ${accountOf(email)} ${network}`],
        ['askedAtAddress', `${what} ${network}`],
      ]);
    },
    async countToProvider({ network, device }) {
      const known = browsers.read(device)[0]?.account;
      await (known === undefined
        ? consume(stores.toProvider, network)
        : consume(stores.toProviderByKnown, known));
    },
    async mayMail(email, { organizationId, userId }) {
      const account = accountOf(email);
      const senders = [organizationId, ...(userId === undefined ? [] : [userId])];
      const toAddress = senders.map((sender) => `${sender} ${account}`);
      return (await areWithin(stores.mailed, toAddress)) && areWithin(stores.letters, senders);
    },
    remember: (email, device) => browsers.remember(accountOf(email), device),
  };
}

const ofBrowser = (account: string, name: string): Counted[] => [
  ['device', name],
  ['devices', account],
];

/** Each counts only where those before it do not refuse: who is over one limit uses up no other. */
async function countAll(stores: Stores, counted: Counted[]): Promise<void> {
  for (const [policy, key] of counted) await consume(stores[policy], key);
}

async function attemptOf(
  stores: Stores,
  account: string,
  { turn, counted }: { turn: string; counted: Counted[] },
): Promise<CountedAttempt> {
  await countAll(stores, counted);
  return {
    turn,
    async takeBack() {
      if ((await waitOf(stores.right, account)) !== null) return;
      await Promise.all(counted.map(([policy, key]) => stores[policy].reward(key, 1)));
    },
  };
}

/**
 * Counts nothing: so that who is over the limit leaves no other counts behind, which would take
 * memory.
 */
async function refuseOver(store: RateLimiterAbstract, key: string): Promise<void> {
  const state = await store.get(key);
  if (state && state.remainingPoints <= 0) refuse(secondsOf(state));
}

async function consume(store: RateLimiterAbstract, key: string): Promise<void> {
  const wait = await waitOf(store, key);
  if (wait !== null) refuse(wait);
}

function refuse(retryAfterSeconds: number): never {
  throw new DomainError('TOO_MANY_REQUESTS', 'Too many tries', { details: { retryAfterSeconds } });
}

/** Counts one for each key. */
async function areWithin(store: RateLimiterAbstract, keys: string[]): Promise<boolean> {
  const waits = await Promise.all(keys.map((key) => waitOf(store, key)));
  return waits.every((wait) => wait === null);
}

/** @returns the seconds to wait; null where this one is within the limit */
async function waitOf(store: RateLimiterAbstract, key: string): Promise<number | null> {
  try {
    await store.consume(key);
    return null;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return secondsOf(refusal);
  }
}

const secondsOf = ({ msBeforeNext }: RateLimiterRes) => Math.max(1, Math.ceil(msBeforeNext / 1000));
