export type Call = (...args: unknown[]) => Promise<unknown>;

/** The same functions, each replaced by what `wrap` makes of it. All of them are asynchronous. */
export function wrapCalls<T extends object>(
  functions: T,
  wrap: (call: Call, name: keyof T) => Call,
): T {
  const calls = Object.entries(functions).map(([name, call]) => [
    name,
    wrap(call as Call, name as keyof T),
  ]);
  return Object.fromEntries(calls) as T;
}
