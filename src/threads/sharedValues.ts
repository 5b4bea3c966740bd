import { deserialize, serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';

/** A value in memory that all threads can read: jobs carry a reference to it, and no copy. */
interface Shared {
  number: number;
  memory: SharedArrayBuffer;
}

/** Values that a thread keeps: template, sisters and file names, for two steps of tasks. */
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
 * Puts values that several jobs have in common into shared memory, once for all of them.
 * @param names the argument's fields with such values, which nobody changes afterwards
 */
export function pack(argument: object, names: string[]): object {
  const shared = Object.entries(argument).flatMap(([name, value]: [string, unknown]) =>
    names.includes(name) && typeof value === 'object' && value !== null
      ? [[name, share(value)]]
      : [],
  );
  return { ...argument, ...(Object.fromEntries(shared) as object) };
}

/** The reverse of `pack`, in a thread. A shared value is the same object for each job. */
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
