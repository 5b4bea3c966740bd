import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Pool } from 'pg';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { DomainError } from '../../errors.ts';
import { storeOf } from './rateLimit.ts';

const MINUTE = 60;
/** Wrong passwords, and in the end other requests, within some seconds, by what they are counted for. */
const policies = {
  /** One account from one address. */
  pair: { points: 10, duration: 15 * MINUTE },
  /** One account from everywhere. */
  account: { points: 100, duration: 60 * MINUTE },
  /** All accounts from one address, which may be that of an office. */
  address: { points: 100, duration: 10 * MINUTE },
  /** One account from a browser in which it has signed in before. */
  device: { points: 20, duration: 15 * MINUTE },
  /** Accounts and links that one address asks for. */
  asked: { points: 60, duration: 60 * MINUTE },
  /** Ways to the OIDC provider that one address begins, which may be that of an office: each is kept for a while. */
  toProvider: { points: 300, duration: 10 * MINUTE },
  /** Invitations that are mailed to one address: by one organization, and by one person for whichever. */
  mailed: { points: 3, duration: 60 * MINUTE },
  /** Invitations that are mailed at all: by one organization, and by one person for whichever. */
  letters: { points: 50, duration: 24 * 60 * MINUTE },
};
type Policy = keyof typeof policies;

/** Who tries to sign in, and from where. */
export interface Attempt {
  email: string;
  /** The client's address; of IPv6, its network. */
  network: string;
  /** What `remember` gave this browser, if it did. */
  device?: string | undefined;
}

export interface SignInLimits {
  /**
   * Counts an attempt, before its password is looked at: those that come at once are counted too.
   * @returns what takes it back where the password was right
   * @throws DomainError TOO_MANY_REQUESTS with the seconds to wait
   */
  count(attempt: Attempt): Promise<() => Promise<void>>;
  /** Counts a request for an account or a link, whose answers say nothing. @throws DomainError as `count` */
  countAsked(network: string): Promise<void>;
  /** Counts a way to the OIDC provider that begins. @throws DomainError as `count` */
  countToProvider(network: string): Promise<void>;
  /** Counts a letter with an invitation for the organization, and for the person. @returns whether it may be sent */
  mayMail(email: string, by: { organizationId: string; userId?: string | undefined }): Promise<boolean>;
  /** The value of a cookie by which a browser is known for this account. */
  remember(email: string): string;
}

/**
 * Limits wrong passwords by account and address ("Slow Down Online Guessing Attacks with Device Cookies", OWASP). A
 * browser in which the account has signed in before has a limit of its own: so neither a stranger who guesses from many
 * addresses nor a colleague behind the same address locks anybody out.
 * @param pool counts are shared by all processes of this database; without it they are this process's own
 * @param secret signs what browsers are known by
 */
export function createSignInLimits(secret: Buffer, pool?: Pool): SignInLimits {
  const stores = Object.fromEntries(
    Object.entries(policies).map(([name, policy]) => [name, storeOf({ keyPrefix: `signIn-${name}`, ...policy }, pool)]),
  ) as Record<Policy, RateLimiterAbstract>;
  const signatureOf = (email: string, name: string) =>
    createHmac('sha256', secret).update(`device ${name} ${email.toLowerCase()}`).digest('base64url');

  return {
    async count({ email, network, device }) {
      const account = accountOf(email);
      const name = nameIn(device, (candidate) => signatureOf(email, candidate));
      const counted: [Policy, string][] =
        name === undefined
          ? [
              ['pair', `${account} ${network}`],
              ['account', account],
              ['address', network],
            ]
          : [['device', name]];
      for (const [policy, key] of counted) await consume(stores[policy], key);
      return async () => void (await Promise.all(counted.map(([policy, key]) => stores[policy].reward(key, 1))));
    },
    countAsked: (network) => consume(stores.asked, network),
    countToProvider: (network) => consume(stores.toProvider, network),
    async mayMail(email, { organizationId, userId }) {
      const account = accountOf(email);
      const senders = [organizationId, ...(userId === undefined ? [] : [userId])];
      const toAddress = senders.map((sender) => `${sender} ${account}`);
      return (await areWithin(stores.mailed, toAddress)) && areWithin(stores.letters, senders);
    },
    remember(email) {
      const name = randomBytes(16).toString('base64url');
      return `${name}.${signatureOf(email, name)}`;
    },
  };
}

/** The browser's name, where its signature is right for the account. */
function nameIn(device: string | undefined, signatureOf: (name: string) => string): string | undefined {
  const [name, signature = ''] = device?.split('.', 2) ?? [];
  if (name === undefined) return undefined;
  const [given, right] = [signature, signatureOf(name)].map((text) => Buffer.from(text)) as [Buffer, Buffer];
  return given.length === right.length && timingSafeEqual(given, right) ? name : undefined;
}

const accountOf = (email: string) => createHash('sha256').update(email.toLowerCase()).digest('base64url');

async function consume(store: RateLimiterAbstract, key: string): Promise<void> {
  const retryAfterSeconds = await waitOf(store, key);
  if (retryAfterSeconds !== null)
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
    return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
  }
}
