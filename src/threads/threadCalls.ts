import type { ServedFunctions } from './threadAnswer.ts';
import { packArgument } from './sharedValues.ts';
import { serviceJobOwner, type ThreadPool, type JobOwner } from './threadPool.ts';

/** Calls a function that a thread serves, by its name in the table of these functions. */
export type ThreadCall<Table extends ServedFunctions<Table>> = <Name extends keyof Table>(
  name: Name,
  ...args: Parameters<Table[Name]>
) => Promise<ReturnType<Table[Name]>>;

/** The same calls as methods: `pages.read(page)` is `call('read', page)`. */
export type ThreadMethods<Table extends ServedFunctions<Table>> = {
  [Name in keyof Table]: (...args: Parameters<Table[Name]>) => Promise<ReturnType<Table[Name]>>;
};

/**
 * Methods that run in threads. Without `for`, they run for the service, not for an organization.
 */
export type PooledMethods<Methods> = Methods & {
  for(jobOwner: JobOwner): Methods;
  /** Ends the threads. Only for callers that do not share them. */
  close(): Promise<void>;
};

interface ServingThread<Table> {
  /** The URL of the worker's module, whose default export is made by `serveFunctions`. */
  worker: URL;
  /** Makes the message of LIMIT_EXCEEDED, for a limit in words. */
  overLimit: (limit: string, name: keyof Table, args: unknown[]) => string;
  /** Fields of the first argument that several calls have in common. See `packArgument`. */
  shared?: { [Name in keyof Table]?: string[] };
}

/** Returns a function that binds calls of a module's functions to an organization and a signal. */
export const bindThreadCalls =
  <Table extends ServedFunctions<Table>>(
    threads: ThreadPool,
    { worker, overLimit, shared = {} }: ServingThread<Table>,
  ) =>
  (jobOwner: JobOwner): ThreadCall<Table> =>
  (name, ...givenArguments) => {
    const args: unknown[] = givenArguments;
    const fields = shared[name];
    const job = {
      name: name as string,
      args: fields ? [packArgument(args[0] as object, fields), ...args.slice(1)] : args,
    };
    return threads.run(
      worker,
      job,
      (limit) => overLimit(limit, name, args),
      jobOwner,
    ) as Promise<never>;
  };

/** Turns calls into methods. @param ownMembers further members, which are not calls */
function methodsOfCalls<Table extends ServedFunctions<Table>, Own extends object>(
  call: ThreadCall<Table>,
  ownMembers: Own,
): ThreadMethods<Table> & Own {
  return new Proxy(ownMembers, {
    get: (_, name) => {
      if (Object.hasOwn(ownMembers, name)) return ownMembers[name as keyof Own];
      // an object with a method `then` would count as a promise
      if (typeof name === 'symbol' || name === 'then') return undefined;
      return (...args: never) => call(name as keyof Table, ...args);
    },
  }) as ThreadMethods<Table> & Own;
}

/**
 * Creates an object whose methods run in threads: `pages.for(jobOwner).planTargets(…)`.
 * @param ownMembers further members, which are not calls
 */
export function createPooledMethods<Table extends ServedFunctions<Table>, Own extends object>(
  threads: ThreadPool,
  callFor: (jobOwner: JobOwner) => ThreadCall<Table>,
  ownMembers: Own,
): PooledMethods<ThreadMethods<Table> & Own> {
  return methodsOfCalls(callFor(serviceJobOwner), {
    ...ownMembers,
    for: (jobOwner: JobOwner) => methodsOfCalls(callFor(jobOwner), ownMembers),
    close: () => threads.close(),
  });
}
