import { createThreads, ownWork, type ThreadLimits, type Work } from '../../threads/threads.ts';
import type { TextCalls, Texts, TextsPool } from './texts.ts';
import type { TextsJob } from './textsWorker.ts';

const names: Record<keyof TextCalls, true> = {
  mayContain: true,
  mayLeadTo: true,
  plain: true,
  marked: true,
  replaceWords: true,
  changeFacts: true,
  differentContacts: true,
  addressesWith: true,
  findWords: true,
  linksNamed: true,
};

const overLimit = (limit: string) => `The texts of a page take more than ${limit} to read`;

/** Texts of pages in a small pool of worker threads, which start with the first call. */
export function createTextsPool(limits: ThreadLimits = {}): TextsPool {
  const worker = new URL('./textsWorker.ts', import.meta.url);
  const { run, close } = createThreads<TextsJob, unknown>({ worker, ...limits });
  const textsFor = (work: Work) =>
    Object.fromEntries(
      (Object.keys(names) as (keyof TextCalls)[]).map((call) => [
        call,
        (...args: unknown[]) => run({ call, args }, overLimit, work),
      ]),
    ) as Texts;
  return { ...textsFor(ownWork), for: textsFor, close };
}
