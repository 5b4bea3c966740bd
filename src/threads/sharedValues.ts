import { deserialize, serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';

/**
 * A value in memory that all threads can read. Jobs contain a reference to it instead of a copy.
 */
interface Shared {
  number: number;
  memory: SharedArrayBuffer;
}

/** The most values that a thread caches: template, sister pages and file names, for two tasks. */
const KEPT = 6;

const sent = new WeakMap<object, Shared>();
const received = new LRUCache<number, object>({ max: KEPT });
let last = 0;

const isShared = (value: unknown): value is Shared =>
  typeof value === 'object' &&
  value !== null &&
  'memory' in value &&
  value.memory instanceof SharedArrayBuffer;

function share(value: object): Shared {
  const known = sent.get(value);
  if (known) return known;
  const bytes = serialize(value);
  const memory = new SharedArrayBuffer(bytes.length);
  new Uint8Array(memory).set(bytes);
  const shared = { number: ++last, memory };
  sent.set(value, shared);
  return shared;
}

/**
 * Replaces values that several jobs have in common with references to shared memory. A value is
 * copied there only once.
 * @param names the fields of `argument` with such values. They must not change afterwards
 */
export function pack(argument: object, names: string[]): object {
  const shared = Object.entries(argument).flatMap(([name, value]: [string, unknown]) =>
    names.includes(name) && typeof value === 'object' && value !== null
      ? [[name, share(value)]]
      : [],
  );
  return { ...argument, ...(Object.fromEntries(shared) as object) };
}

/** Reverses `pack` in a thread. Jobs with the same shared value get the same object. */
export function unpack<T>(argument: T): T {
  if (typeof argument !== 'object' || argument === null || !Object.values(argument).some(isShared))
    return argument;
  const fields = Object.entries(argument).map(([name, value]: [string, unknown]) => [
    name,
    isShared(value) ? receive(value) : value,
  ]);
  return Object.fromEntries(fields) as T;
}

function receive({ number, memory }: Shared): object {
  const value = received.get(number) ?? (deserialize(new Uint8Array(memory).slice()) as object);
  received.set(number, value);
  return value;
}
