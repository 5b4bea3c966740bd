import {
  bindThreadCalls,
  type PooledMethods,
  createPooledMethods,
  type ThreadMethods,
} from '../../../threads/threadCalls.ts';
import { createThreadPool } from '../../../threads/threadPool.ts';
import type { TextCalls } from './textsCalls.ts';

/**
 * The calls of the tools on pages' texts. Each runs in a worker thread, because large pages take
 * long. All are pure: they get slots, links or sources, and return new ones. For example,
 *
 *     await texts.replaceWords(slots, 'Austin', 'Rome')
 *
 * returns `{ texts: { s12: 'Web design in Rome' }, count: 1, otherCase: 0, inAddresses: 0 }`.
 *
 * textsCalls.ts lists the calls, and textsWorker.ts serves them in the threads. The larger ones are
 * in changeFacts.ts (prices, contacts), textOutline.ts (a page's texts as lines), addInlineParts.ts
 * and rejectBlankText.ts (checks of new texts), sourceFilter.ts and findLinesWith.ts (search).
 */
export type PageTextCalls = ThreadMethods<TextCalls>;

/** The threads that read texts. Calls made on the pool itself count as the service's own work. */
export type TextsPool = PooledMethods<PageTextCalls>;

/** Creates the pool. Its `for(work)` binds calls to an organization and the signal of its work. */
export const createTextsPool = (threads = createThreadPool()): TextsPool =>
  createPooledMethods(
    threads,
    bindThreadCalls<TextCalls>(threads, {
      worker: new URL('./textsWorker.ts', import.meta.url),
      overLimit: (limit) => `The texts of a page take more than ${limit} to read`,
    }),
    {},
  );
