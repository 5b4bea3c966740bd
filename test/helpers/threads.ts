import { createTemplatePage } from '../../src/agents/shared/agentTypes.ts';
import { createRulesAgent } from '../../src/agents/rules/rulesAgent.ts';
import type { EditorDeps } from '../../src/editor/editor.ts';
import { createTextsPool } from '../../src/agents/shared/texts/textsPool.ts';
import { createPagesPool } from '../../src/sites/pages/pages.ts';
import {
  type ThreadAnswer,
  type PostedJob,
  answeredValue,
} from '../../src/threads/threadAnswer.ts';
import { createThreadPool, type ThreadPool } from '../../src/threads/threadPool.ts';

/**
 * The threads of all tests of this process: starting one and loading its modules takes longer than
 * most tests' work.
 */
export const testThreads = createThreadPool();

/**
 * The embedded agent, and pages, in these threads. They end with the process: no test closes them.
 */
export const threadRules = createRulesAgent(testThreads);
export const threadPages = createPagesPool(testThreads);

type Module = { default: (posted: PostedJob) => ThreadAnswer };

/**
 * Does jobs in the test's own thread: between threads, arguments and answers cost as much as the
 * jobs of small pages.
 */
const noThreads: ThreadPool = {
  run: async (worker, job) =>
    answeredValue(((await import(worker.href)) as Module).default({ number: 0, job })),
  close: () => Promise.resolve(),
};

/** Calls of threads with some of the methods replaced. */
export const withMethods = <Calls extends object>(calls: Calls, own: Partial<Calls>): Calls =>
  Object.assign(Object.create(calls) as Calls, own);

/**
 * The agent, and pages, for tests of what is read and written, by the calls that the service makes
 * in threads.
 */
export const testRules = createRulesAgent(noThreads);
export const testPages = createPagesPool(noThreads);
export const testTexts = createTextsPool(noThreads);
export const testNoteResolver: Pick<
  EditorDeps,
  'findNotedParts' | 'replaceNotedValues' | 'placeContextValues'
> = {
  findNotedParts: (page, notes, work) =>
    testRules.findNotedParts({ page: createTemplatePage(page), notes }, work),
  replaceNotedValues: ({ page, ...job }, work) =>
    testRules.replaceNotedValues({ ...job, page: createTemplatePage(page) }, work),
  placeContextValues: ({ page, ...job }, work) =>
    testRules.placeContextValues({ ...job, page: createTemplatePage(page) }, work),
};
