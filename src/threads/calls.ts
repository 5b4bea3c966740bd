import type { ServedFunctions } from './answer.ts';
import { pack } from './sharedValues.ts';
import { ownWork, type Threads, type Work } from './threads.ts';

/** Calls a function that a thread serves, by its name in the table of these functions. */
export type ThreadCall<Table extends ServedFunctions<Table>> = <Name extends keyof Table>(
  name: Name,
  ...args: Parameters<Table[Name]>
) => Promise<ReturnType<Table[Name]>>;

/** The same calls as methods: `pages.read(page)` is `call('read', page)`. */
export type ThreadMethods<Table extends ServedFunctions<Table>> = {
  [Name in keyof Table]: (...args: Parameters<Table[Name]>) => Promise<ReturnType<Table[Name]>>;
};

/** Methods that run in threads. Called directly, they run for no organization (`ownWork`). */
export type Pooled<Methods> = Methods & {
  for(work: Work): Methods;
  /** Ends the threads. Only for callers that do not share them. */
  close(): Promise<void>;
};

interface ServingThread<Table> {
  /** The URL of the worker's module, whose default export is made by `serve`. */
  worker: URL;
  /** Makes the message of LIMIT_EXCEEDED, for a limit in words. */
  overLimit: (limit: string, name: keyof Table, args: unknown[]) => string;
  /** Fields of the first argument that several calls have in common. See `pack`. */
  shared?: { [Name in keyof Table]?: string[] };
}

/** Binds calls to an organization and a signal. */
export const callsIn =
  <Table extends ServedFunctions<Table>>(
    threads: Threads,
    { worker, overLimit, shared = {} }: ServingThread<Table>,
  ) =>
  (work: Work): ThreadCall<Table> =>
  (name, ...given) => {
    const args: unknown[] = given;
    const fields = shared[name];
    const job = {
      name: name as string,
      args: fields ? [pack(args[0] as object, fields), ...args.slice(1)] : args,
    };
    return threads.run(
      worker,
      job,
      (limit) => overLimit(limit, name, args),
      work,
    ) as Promise<never>;
  };

/** @param own further members, which are not calls */
function methodsOf<Table extends ServedFunctions<Table>, Own extends object>(
  call: ThreadCall<Table>,
  own: Own,
): ThreadMethods<Table> & Own {
  return new Proxy(own, {
    get: (_, name) => {
      if (Object.hasOwn(own, name)) return own[name as keyof Own];
      // an object with a method `then` would count as a promise
      if (typeof name === 'symbol' || name === 'then') return undefined;
      return (...args: never) => call(name as keyof Table, ...args);
    },
  }) as ThreadMethods<Table> & Own;
}

/** Makes methods of calls. @param own further members, which are not calls */
export function pooled<Table extends ServedFunctions<Table>, Own extends object>(
  threads: Threads,
  callFor: (work: Work) => ThreadCall<Table>,
  own: Own,
): Pooled<ThreadMethods<Table> & Own> {
  return methodsOf(callFor(ownWork), {
    ...own,
    for: (work: Work) => methodsOf(callFor(work), own),
    close: () => threads.close(),
  });
}
