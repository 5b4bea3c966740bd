export type Call = (...args: unknown[]) => Promise<unknown>;

/** An object of asynchronous functions, each replaced by the result of `wrap`. */
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
