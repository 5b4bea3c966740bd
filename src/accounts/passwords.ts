import { AsyncLocalStorage } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { createFairQueue } from '../fairQueue.ts';

/**
 * NIST SP 800-63B-4, section 3.1.1.2, wants 15 characters where nothing else protects, 8 otherwise,
 * and 64 to be taken.
 */
export const passwordLength = { least: 12, most: 128 };

/** How passwords are kept. */
export interface Passwords {
  hash(password: string): Promise<string>;
  verify(known: { hash: string; password: string }): Promise<boolean>;
}

/**
 * By scrypt: 70 ms of CPU time and 32 MB of memory for each. Loaded at the first use, as
 * better-auth is.
 */
const byScrypt: Passwords = {
  hash: async (password) => (await import('better-auth/crypto')).hashPassword(password),
  verify: async (known) => (await import('better-auth/crypto')).verifyPassword(known),
};

/**
 * One core stays free for other requests, and two of the four threads that Node reads files with.
 */
const AT_ONCE = Math.min(2, Math.max(1, availableParallelism() - 1));

export interface PasswordQueue {
  passwords: Passwords;
  /** Runs work whose passwords are hashed for this caller. */
  as: <T>(caller: string, work: () => Promise<T>) => Promise<T>;
}

/**
 * Passwords of which few are hashed at the same time, however many sign in: other requests stay
 * quick.
 * @param atOnce how many
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
