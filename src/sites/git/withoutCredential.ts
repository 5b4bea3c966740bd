import type { Access } from './access.ts';
import { type Cut, cutterFor } from './cutCredential.ts';
import type { LastChange } from './lastChanges.ts';
import type { Repository } from './repository.ts';

type Call = (...args: unknown[]) => Promise<unknown>;

/**
 * The same functions, whose errors and texts of commits do not repeat the credential: the remote
 * makes up commits and paths too. Pages and files are the site's own, and stay as they are.
 */
export function withoutCredential(repository: Repository, access: Access | undefined): Repository {
  if (!access) return repository;
  let known: Promise<Cut> | undefined;
  // a credential that can't be read was given to nobody
  const cutter = () => (known ??= access.credential().then(cutterFor, () => cutterFor(null)));
  const guarded =
    (call: Call) =>
    async (...args: unknown[]) => {
      try {
        return await call(...args);
      } catch (error) {
        throw errorCut(error, await cutter());
      }
    };
  const functions = Object.entries(repository).map(([name, call]) => [name, guarded(call as Call)]);
  const safe = Object.fromEntries(functions) as Repository;
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

/** The same error, as its class and code count. One that nothing is cut from may be frozen. */
function errorCut(error: unknown, cut: Cut): unknown {
  if (!(error instanceof Error)) return error;
  const { message, stack = '', cause } = error;
  if (cut(message) !== message) error.message = cut(message);
  if (cut(stack) !== stack) error.stack = cut(stack);
  errorCut(cause, cut);
  return error;
}

/** Many files have one change, and many changes one author. */
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
