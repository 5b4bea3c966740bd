import type { Pool } from 'pg';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../../errors.ts';
import { accountHash, createKnownBrowsers } from './knownBrowsers.ts';
import { createLimitStore } from './rateLimit.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
/**
 * Maximum number of tries (`points`) within `duration` seconds. The limits by address alone only
 * protect the machine, because a large office may share one address. docs/security.md says how
 * many guesses these limits allow.
 */
const policies = {
  /** Wrong passwords for one account from one address. */
  pair: { points: 10, duration: 15 * MINUTE },
  /** Wrong passwords for all accounts from one address. */
  address: { points: 1_000, duration: HOUR },
  /** Wrong passwords for one account from all unknown browsers together. */
  account: { points: 100, duration: HOUR },
  /** Wrong passwords for one account from one known browser (`device`), and from all known ones. */
  device: { points: 20, duration: 15 * MINUTE },
  devices: { points: 400, duration: HOUR },
  /** Password changes of one person in unknown browsers. */
  change: { points: 10, duration: 15 * MINUTE },
  /** Right passwords for one account that take their own count back. Others stay counted. */
  right: { points: 60, duration: HOUR },
  /**
   * Requests for links, and sign-ups: for one account from one address, for all accounts from one
   * address, and from a known browser.
   */
  asked: { points: 10, duration: HOUR },
  askedAtAddress: { points: 1_000, duration: HOUR },
  askedByKnown: { points: 60, duration: HOUR },
  /**
   * Sign-ins at the OIDC provider that start at one address; the state of each is stored for a
   * while.
   */
  toProvider: { points: 3_000, duration: 10 * MINUTE },
  toProviderByKnown: { points: 60, duration: 10 * MINUTE },
  /**
   * Mailed invitations to one address: by one organization, and by one person over all
   * organizations.
   */
  mailed: { points: 3, duration: HOUR },
  /** Mailed invitations in all: by one organization, and by one person over all organizations. */
  letters: { points: 50, duration: 24 * HOUR },
};
type SignInPolicy = keyof typeof policies;
type CountedKey = [policy: SignInPolicy, key: string];
type SignInStores = Record<SignInPolicy, RateLimiterAbstract>;

/** The client's IP address and browser. */
interface ClientFingerprint {
  /** The client's IPv4 address, or its IPv6 network. */
  network: string;
  /** The cookie that `remember` set in this browser, if any. */
  device?: string | undefined;
}

/** A sign-in with a password. */
export interface PasswordAttempt extends ClientFingerprint {
  email: string;
}

/** A request for an account or a link. */
export interface AccountRequest extends ClientFingerprint {
  what: 'link' | 'sign-up';
  email: string;
  /** A valid invitation for this address. Its holder is not counted as a stranger. */
  invitationId?: string | undefined;
}

/** A counted attempt whose password may be compared. */
export interface CountedAttempt {
  /**
   * Key of the fair queue in which passwords are hashed. A known browser does not wait behind
   * others at the same address.
   */
  queueKey: string;
  /** Takes the count back after a right password. */
  takeBack: () => Promise<void>;
}

/** Limits of sign-ins, and of e-mails that people make the service send. */
export interface SignInLimits {
  /**
   * Counts an attempt before its password is compared, so that parallel attempts are counted too.
   * @throws DomainError TOO_MANY_REQUESTS with the seconds to wait
   */
  count(attempt: PasswordAttempt): Promise<CountedAttempt>;
  /**
   * Counts a change of a password, for which the current password is needed.
   * @throws DomainError as `count`
   */
  countChange(person: {
    userId: string;
    email: string;
    device?: string | undefined;
  }): Promise<CountedAttempt>;
  /**
   * Counts a request for a link, or a sign-up.
   * @throws DomainError as `count`
   */
  countAsked(asked: AccountRequest): Promise<void>;
  /**
   * Counts a sign-in that starts at the OIDC provider.
   * @throws DomainError as `count`
   */
  countToProvider(place: ClientFingerprint): Promise<void>;
  /**
   * Counts a mailed invitation for the organization and the person.
   * @returns whether it may be sent
   */
  mayMail(
    email: string,
    by: { organizationId: string; userId?: string | undefined },
  ): Promise<boolean>;
  /**
   * The cookie that makes this browser known for the account.
   * @param device the cookie's previous value
   */
  remember(email: string, device?: string): string;
}

/**
 * Limits wrong passwords by account and IP address ("Slow Down Online Guessing Attacks with Device
 * Cookies", OWASP). A browser in which the account has signed in before has its own limit. So
 * nobody can lock a person out by guessing, neither from many addresses nor from the same office.
 * Also limits sign-ups, links by e-mail, OIDC sign-ins and mailed invitations.
 * @param secret key that signs the cookies of known browsers
 * @param pool the database in which all processes count together; without it each process counts on
 *   its own
 */
export function createSignInLimits(secret: Buffer, pool?: Pool): SignInLimits {
  const stores = Object.fromEntries(
    Object.entries(policies).map(([name, policy]) => [
      name,
      createLimitStore({ keyPrefix: `signIn-${name}`, ...policy }, pool),
    ]),
  ) as SignInStores;
  const knownBrowsers = createKnownBrowsers(secret);

  const findKnownBrowser = (account: string, device?: string) =>
    knownBrowsers.read(device).find((candidate) => candidate.account === account);
  const countPassword = (account: string, queueKey: string, countedKeys: CountedKey[]) =>
    countAttempt(stores, account, { queueKey, counted: countedKeys });

  return {
    async count({ email, network, device }) {
      const account = accountHash(email);
      const knownBrowser = findKnownBrowser(account, device);
      if (knownBrowser)
        return countPassword(
          account,
          knownBrowser.name,
          browserCounters(account, knownBrowser.name),
        );
      await refuseOver(stores.address, network);
      return countPassword(account, network, [
        ['pair', `${account} ${network}`],
        ['address', network],
        ['account', account],
      ]);
    },
    countChange({ userId, email, device }) {
      const account = accountHash(email);
      const knownBrowser = findKnownBrowser(account, device);
      const countedKeys: CountedKey[] = knownBrowser
        ? browserCounters(account, knownBrowser.name)
        : [['change', userId]];
      return countPassword(account, knownBrowser?.name ?? userId, countedKeys);
    },
    async countAsked({ what, email, network, device, invitationId }) {
      const knownAccount = invitationId ?? knownBrowsers.read(device)[0]?.account;
      if (knownAccount !== undefined)
        return countTry(stores.askedByKnown, `${what} ${knownAccount}`);
      await refuseOver(stores.askedAtAddress, `${what} ${network}`);
      await countEachKey(stores, [
        ['asked', `${what} ${accountHash(email)} ${network}`],
        ['askedAtAddress', `${what} ${network}`],
      ]);
    },
    async countToProvider({ network, device }) {
      const knownAccount = knownBrowsers.read(device)[0]?.account;
      await (knownAccount === undefined
        ? countTry(stores.toProvider, network)
        : countTry(stores.toProviderByKnown, knownAccount));
    },
    async mayMail(email, { organizationId, userId }) {
      const account = accountHash(email);
      const senders = [organizationId, ...(userId === undefined ? [] : [userId])];
      const toAddress = senders.map((senderId) => `${senderId} ${account}`);
      return (await areWithin(stores.mailed, toAddress)) && areWithin(stores.letters, senders);
    },
    remember: (email, device) => knownBrowsers.remember(accountHash(email), device),
  };
}

const browserCounters = (account: string, browserName: string): CountedKey[] => [
  ['device', browserName],
  ['devices', account],
];

/**
 * Counts a try under one key after the other, and stops at the first that refuses it. So a client
 * over one limit does not use up the others.
 */
async function countEachKey(stores: SignInStores, countedKeys: CountedKey[]): Promise<void> {
  for (const [policy, key] of countedKeys) await countTry(stores[policy], key);
}

async function countAttempt(
  stores: SignInStores,
  account: string,
  { queueKey, counted: countedKeys }: { queueKey: string; counted: CountedKey[] },
): Promise<CountedAttempt> {
  await countEachKey(stores, countedKeys);
  return {
    queueKey,
    async takeBack() {
      if ((await secondsToWait(stores.right, account)) !== null) return;
      await Promise.all(countedKeys.map(([policy, key]) => stores[policy].reward(key, 1)));
    },
  };
}

/**
 * Refuses a client that is over the limit, without counting. So it creates no further counters,
 * which would take memory.
 */
async function refuseOver(store: RateLimiterAbstract, key: string): Promise<void> {
  const counterState = await store.get(key);
  if (counterState && counterState.remainingPoints <= 0) refuseTry(retrySeconds(counterState));
}

async function countTry(store: RateLimiterAbstract, key: string): Promise<void> {
  const secondsLeft = await secondsToWait(store, key);
  if (secondsLeft !== null) refuseTry(secondsLeft);
}

function refuseTry(retryAfterSeconds: number): never {
  throw new DomainError('TOO_MANY_REQUESTS', 'Too many attempts', {
    details: { retryAfterSeconds },
  });
}

/** Counts a try under each key, and returns whether all of them are within the limit. */
async function areWithin(store: RateLimiterAbstract, keys: string[]): Promise<boolean> {
  const secondsLeftByKey = await Promise.all(keys.map((key) => secondsToWait(store, key)));
  return secondsLeftByKey.every((secondsLeft) => secondsLeft === null);
}

/**
 * Counts a try.
 * @returns the seconds to wait; null if it is within the limit
 */
async function secondsToWait(store: RateLimiterAbstract, key: string): Promise<number | null> {
  try {
    await store.consume(key);
    return null;
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    return retrySeconds(refusal);
  }
}

const retrySeconds = ({ msBeforeNext }: RateLimiterRes) =>
  Math.max(1, Math.ceil(msBeforeNext / 1000));
