import { pooled } from '../../threads/callsInThreads.ts';
import { createThreads, type Work } from '../../threads/threads.ts';
import type { TextCalls, Texts, TextsPool } from './textsPort.ts';
import type { TextsJob } from './textsWorker.ts';

const names: Record<keyof TextCalls, true> = {
  mayContain: true,
  mayLeadTo: true,
  plain: true,
  slotsIn: true,
  marked: true,
  replaceWords: true,
  staleTimes: true,
  leftValues: true,
  staleCurrencies: true,
  changeFacts: true,
  differentContacts: true,
  addressesWith: true,
  findWords: true,
  linksNamed: true,
  linesWith: true,
  readSource: true,
  editSource: true,
  editAlike: true,
  closest: true,
  writeLinkBlocks: true,
};

const overLimit = (limit: string) => `The texts of a page take more than ${limit} to read`;

/** Runs calls on pages' texts in worker threads. */
export function createTextsPool(threads = createThreads()): TextsPool {
  const worker = new URL('./textsWorker.ts', import.meta.url);
  const textsFor = (work: Work) =>
    Object.fromEntries(
      (Object.keys(names) as (keyof TextCalls)[]).map((call) => [
        call,
        (...args: unknown[]) => threads.run<TextsJob>(worker, { call, args }, overLimit, work),
      ]),
    ) as Texts;
  return pooled(threads, textsFor);
}
