import { AsyncLocalStorage } from 'node:async_hooks';

const RealDate = Date;
const realNow = Date.now;
const clocks = new AsyncLocalStorage<() => number | Date>();
function now(): number {
  const time = clocks.getStore();
  return time ? Number(clocks.exit(time)) : realNow();
}

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: unknown[]) =>
    Reflect.construct(target, given.length > 0 ? given : [now()]) as Date,
  get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
});

/**
 * The same functions, for which `Date` tells another time, also after they waited.
 * @param time milliseconds since 1970, or a date
 */
export const atTime = <T extends object>(time: () => number | Date, functions: T): T =>
  new Proxy(functions, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function'
        ? (...given: unknown[]) =>
            clocks.run(time, () => Reflect.apply(value, target, given) as unknown)
        : value;
    },
  });
