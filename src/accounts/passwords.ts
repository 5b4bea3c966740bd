import { AsyncLocalStorage } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { createTurns } from '../fairQueue.ts';

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

export interface PasswordTurns {
  passwords: Passwords;
  /** Passwords that this work hashes are of this caller: callers take turns. */
  as: <T>(turn: string, work: () => Promise<T>) => Promise<T>;
}

/**
 * Passwords of which few are hashed at the same time, however many sign in: other requests stay
 * quick.
 * @param atOnce how many
 */
export function createPasswordTurns(
  passwords: Passwords = byScrypt,
  atOnce = AT_ONCE,
): PasswordTurns {
  const turns = createTurns({ what: 'a place to hash a password', places: atOnce });
  const turn = new AsyncLocalStorage<string>();
  const inTurn = <T>(work: () => Promise<T>) => turns.run(turn.getStore() ?? '', work);
  return {
    passwords: {
      hash: (password) => inTurn(() => passwords.hash(password)),
      verify: (known) => inTurn(() => passwords.verify(known)),
    },
    as: (caller, work) => turn.run(caller, work),
  };
}
