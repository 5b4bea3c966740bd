import { AsyncLocalStorage } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { createFairQueue } from '../fairQueue.ts';

/**
 * Characters of a password. NIST SP 800-63B-4, section 3.1.1.2: at least 15 if the password is the
 * only factor, otherwise at least 8; verifiers should accept at least 64.
 */
export const passwordLength = { least: 12, most: 128 };

/** Hashes and verifies passwords. */
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(known: { hash: string; password: string }): Promise<boolean>;
}

/**
 * Uses scrypt: 70 ms of CPU time and 32 MB of memory per password. Loaded at the first use, because
 * that loads a part of better-auth.
 */
const byScrypt: Passwords = {
  hash: async (password) => (await import('better-auth/crypto')).hashPassword(password),
  verify: async (known) => (await import('better-auth/crypto')).verifyPassword(known),
};

/**
 * Hashes at once. One core stays free for other requests, and so do two of the four libuv threads,
 * with which Node also reads files.
 */
const AT_ONCE = Math.min(2, Math.max(1, availableParallelism() - 1));

export interface PasswordQueue {
  passwords: Passwords;
  /** Runs `work`. The passwords that it hashes queue up as this caller's. */
  as: <T>(caller: string, work: () => Promise<T>) => Promise<T>;
}

/**
 * Limits how many passwords are hashed at once, so that many sign-ins don't slow down other
 * requests.
 * @param atOnce the limit
 */
export function createPasswordQueue(
  passwords: Passwords = byScrypt,
  atOnce = AT_ONCE,
): PasswordQueue {
  const queue = createFairQueue({ what: 'a place to hash a password', places: atOnce });
  const caller = new AsyncLocalStorage<string>();
  const queued = <T>(work: () => Promise<T>) => queue.run(caller.getStore() ?? '', work);
  return {
    passwords: {
      hash: (password) => queued(() => passwords.hash(password)),
      verify: (known) => queued(() => passwords.verify(known)),
    },
    as: (name, work) => caller.run(name, work),
  };
}
