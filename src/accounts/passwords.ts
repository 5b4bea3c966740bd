import { AsyncLocalStorage } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { createFairQueue } from '../fairQueue.ts';

/** Hashes and verifies passwords. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  verify(knownPassword: { hash: string; password: string }): Promise<boolean>;
}

/**
 * Uses scrypt: 70 ms of CPU time and 32 MB of memory per password. Loaded at the first use, because
 * that loads a part of better-auth.
 */
const scryptHasher: PasswordHasher = {
  hash: async (password) => (await import('better-auth/crypto')).hashPassword(password),
  verify: async (knownPassword) =>
    (await import('better-auth/crypto')).verifyPassword(knownPassword),
};

/**
 * The most passwords that are hashed at once. One core stays free for other requests, and so do two
 * of the four libuv threads, with which Node also reads files.
 */
const AT_ONCE = Math.min(2, Math.max(1, availableParallelism() - 1));

export interface PasswordQueue {
  /** Hashes and verifies passwords. Waits while too many others are being worked on. */
  passwords: PasswordHasher;
  /** Runs `work`. The passwords that it hashes or verifies wait in the queue for this caller. */
  runForCaller: <T>(caller: string, work: () => Promise<T>) => Promise<T>;
}

/**
 * Limits how many passwords are hashed at once, so that many sign-ins don't slow down other
 * requests. Callers share the queue fairly.
 * @param maxAtOnce the most passwords that are hashed at once
 */
export function createPasswordQueue(
  passwords: PasswordHasher = scryptHasher,
  maxAtOnce = AT_ONCE,
): PasswordQueue {
  const fairQueue = createFairQueue({ what: 'a turn to hash a password', places: maxAtOnce });
  const callerStore = new AsyncLocalStorage<string>();
  const runQueued = <T>(work: () => Promise<T>) =>
    fairQueue.run(callerStore.getStore() ?? '', work);
  return {
    passwords: {
      hash: (password) => runQueued(() => passwords.hash(password)),
      verify: (knownPassword) => runQueued(() => passwords.verify(knownPassword)),
    },
    runForCaller: (callerName, work) => callerStore.run(callerName, work),
  };
}
