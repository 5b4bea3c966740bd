import type { Access } from './access.ts';
import { type Cut, cutterFor } from './cutCredential.ts';
import type { LastChange } from './lastChanges.ts';
import type { Repository } from './repository.ts';
import { wrapCalls } from './wrapCalls.ts';

/**
 * Wraps a repository: cuts the credential out of errors and of commits' texts, which the remote may
 * have forged. Contents of pages and files belong to the site and are not changed.
 */
export function withoutCredential(repository: Repository, access: Access | undefined): Repository {
  if (!access) return repository;
  let known: Promise<Cut> | undefined;
  // if the credential can't be read, the remote never got it
  const cutter = () => (known ??= access.credential().then(cutterFor, () => cutterFor(null)));
  const safe = wrapCalls(repository, (call) => async (...args) => {
    try {
      return await call(...args);
    } catch (error) {
      throw errorCut(error, await cutter());
    }
  });
  return {
    ...safe,
    async summary(commit) {
      const told = await safe.summary(commit);
      return told && { ...told, message: (await cutter())(told.message) };
    },
    async lastChanges(commit, signal) {
      return namesCut(await safe.lastChanges(commit, signal), await cutter());
    },
  };
}

/**
 * Returns the same object, since its class and code matter. Writes to it only if something is cut:
 * other errors may be frozen.
 */
function errorCut(error: unknown, cut: Cut): unknown {
  if (!(error instanceof Error)) return error;
  const { message, stack = '', cause } = error;
  if (cut(message) !== message) error.message = cut(message);
  if (cut(stack) !== stack) error.stack = cut(stack);
  errorCut(cause, cut);
  return error;
}

/** Cuts each author's name once: many files share a change, and many changes share an author. */
function namesCut(
  changes: ReadonlyMap<string, LastChange>,
  cut: Cut,
): ReadonlyMap<string, LastChange> {
  const names = new Set(changes.values().map(({ by }) => by));
  const shown = new Map(names.values().map((by) => [by, cut(by)]));
  return new Map(
    changes.entries().map(([path, change]) => [path, { ...change, by: shown.get(change.by)! }]),
  );
}
