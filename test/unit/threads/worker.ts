import { getPriority } from 'node:os';
import { getHeapSpaceStatistics } from 'node:v8';
import { threadId } from 'node:worker_threads';
import { DomainError } from '../../../src/errors.ts';
import { serveFunctions } from '../../../src/threads/threadAnswer.ts';

const kept: Buffer[] = [];
const jobs = {
  thread: () => threadId,
  forever: () => {
    for (;;);
  },
  backtrack: () => /^(a+)+$/.test('a'.repeat(50) + 'b'),
  /** Uses CPU time of its own, in milliseconds. */
  busy: (ms: number) => {
    const used = () => {
      const { user, system } = process.threadCpuUsage();
      return (user + system) / 1_000;
    };
    for (const until = used() + ms; used() < until;);
    return ms;
  },
  /** Holds its thread for a time without using CPU time. */
  sleep: (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  sleepingThread: (ms: number) => {
    jobs.sleep(ms);
    return threadId;
  },
  objects: () => {
    for (const all: unknown[] = []; ;) all.push({ number: all.length, text: `x${all.length}` });
  },
  map: () => {
    for (const all = new Map<number, object>(); ;) all.set(all.size, {});
  },
  buffers: () => {
    for (const all: Buffer[] = []; ;) all.push(Buffer.alloc(1_000_000, all.length));
  },
  strings: () => {
    for (const all: string[] = []; ;)
      all.push(Buffer.alloc(1_000_000, 97 + (all.length % 20)).toString());
  },
  /** Holds megabytes beyond its end, and works on for as many milliseconds. */
  keep: (megabytes: number) => {
    kept.push(Buffer.alloc(megabytes * 1_000_000, 1));
    return jobs.busy(megabytes);
  },
  priority: () => getPriority(),
  /** Makes garbage. @returns megabytes that the thread's new objects had room in at most */
  garbage: (megabytes: number) => {
    let [most, last] = [0, [] as number[]];
    for (let made = 0; made < megabytes * 10; made++) {
      last = Array.from({ length: 12_500 }, (_, n) => n + made + 0.5);
      const space = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')!;
      most = Math.max(most, space.space_size / 1024 ** 2);
    }
    return last.length > 0 ? most : 0;
  },
  /** Ends the thread, as an end from outside does. */
  exit: () => process.exit(1),
  refuse: () => {
    throw new DomainError('INVALID_INPUT', 'Not this one');
  },
  fail: () => {
    throw new TypeError('a mistake of ours');
  },
};

export type Jobs = typeof jobs;

export default serveFunctions(jobs);
