import { deserialize, serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';

/**
 * A value in memory that threads have in common: jobs that need it carry where it is, and no copy.
 */
interface Shared {
  number: number;
  memory: SharedArrayBuffer;
}

/**
 * Values that a thread keeps: a template, its sisters and the names of a site's files, of two
 * steps.
 */
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
 * Prepares the argument of a job. Some of its values several jobs have: each travels once, however
 * many those are.
 * @param names the fields with such values, which nobody changes afterwards
 */
export function pack(argument: object, names: string[]): object {
  const shared = Object.entries(argument).flatMap(([name, value]: [string, unknown]) =>
    names.includes(name) && typeof value === 'object' && value !== null
      ? [[name, share(value)]]
      : [],
  );
  return { ...argument, ...(Object.fromEntries(shared) as object) };
}

/** In a thread: the argument as it was. What several jobs have is the same object for each. */
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
