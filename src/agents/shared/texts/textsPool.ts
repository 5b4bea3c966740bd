import {
  bindThreadCalls,
  type PooledMethods,
  createPooledMethods,
  type ThreadMethods,
} from '../../../threads/threadCalls.ts';
import { createThreadPool } from '../../../threads/threadPool.ts';
import type { TextCalls } from './textsCalls.ts';

/** The calls of tools on pages' texts. Each runs in a worker thread. */
export type PageTextCalls = ThreadMethods<TextCalls>;

/** The threads that read texts. Calls made on the pool itself count as the service's own work. */
export type TextsPool = PooledMethods<PageTextCalls>;

/** Runs calls on pages' texts in worker threads. */
export const createTextsPool = (threads = createThreadPool()): TextsPool =>
  createPooledMethods(
    threads,
    bindThreadCalls<TextCalls>(threads, {
      worker: new URL('./textsWorker.ts', import.meta.url),
      overLimit: (limit) => `The texts of a page take more than ${limit} to read`,
    }),
    {},
  );
