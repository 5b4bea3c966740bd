import type { Access } from './access.ts';
import { type Cut, cutterFor } from './cutCredential.ts';
import type { LastChange } from './lastChanges.ts';
import type { Repository } from './repository.ts';
import { wrapCalls } from './wrapCalls.ts';

/**
 * The same functions, with the credential cut out of their errors and of commits' texts, which the
 * remote may have made up. The contents of pages and files are the site's own, and stay as they
 * are.
 */
export function withoutCredential(repository: Repository, access: Access | undefined): Repository {
  if (!access) return repository;
  let known: Promise<Cut> | undefined;
  // a credential that can't be read was never given to the remote
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
 * The same object, since its class and code matter. It is written to only where something is cut:
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

/** Cuts each author's name once: many files have the same change, and many changes one author. */
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
