import { deserialize, serialize } from 'node:v8';
import { LRUCache } from 'lru-cache';

/**
 * A value in memory that all threads can read. Jobs contain a reference to it instead of a copy.
 */
interface SharedValue {
  number: number;
  memory: SharedArrayBuffer;
}

/**
 * Maximum number of values that a thread caches: template, siblings and file names of two tasks.
 */
const KEPT = 6;

const sharedBySender = new WeakMap<object, SharedValue>();
const receivedValues = new LRUCache<number, object>({ max: KEPT });
let lastNumber = 0;

const isShared = (value: unknown): value is SharedValue =>
  typeof value === 'object' &&
  value !== null &&
  'memory' in value &&
  value.memory instanceof SharedArrayBuffer;

function shareValue(value: object): SharedValue {
  const knownShare = sharedBySender.get(value);
  if (knownShare) return knownShare;
  const serialized = serialize(value);
  const memory = new SharedArrayBuffer(serialized.length);
  new Uint8Array(memory).set(serialized);
  const newShare = { number: ++lastNumber, memory };
  sharedBySender.set(value, newShare);
  return newShare;
}

/**
 * Prepares the argument of a job: replaces values that several jobs have in common, such as a
 * template, with references to shared memory. Each value is copied there only once.
 * @param names the fields of `argument` with such values. They must not change afterwards
 */
export function packArgument(argument: object, names: string[]): object {
  const sharedFields = Object.entries(argument).flatMap(([name, value]: [string, unknown]) =>
    names.includes(name) && typeof value === 'object' && value !== null
      ? [[name, shareValue(value)]]
      : [],
  );
  return { ...argument, ...(Object.fromEntries(sharedFields) as object) };
}

/** Reverses `packArgument` in a thread. Jobs with the same shared value get the same object. */
export function unpackArgument<T>(argument: T): T {
  if (typeof argument !== 'object' || argument === null || !Object.values(argument).some(isShared))
    return argument;
  const unpackedFields = Object.entries(argument).map(([name, value]: [string, unknown]) => [
    name,
    isShared(value) ? receiveValue(value) : value,
  ]);
  return Object.fromEntries(unpackedFields) as T;
}

function receiveValue({ number, memory }: SharedValue): object {
  const value =
    receivedValues.get(number) ?? (deserialize(new Uint8Array(memory).slice()) as object);
  receivedValues.set(number, value);
  return value;
}
