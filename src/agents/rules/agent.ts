import { createThreads, ownWork, type Work } from '../../threads/threads.ts';
import { defined } from '../../contract/defined.ts';
import type { Agent, GeneratedPage, PageJob, Turn } from '../agent.ts';
import type { CheckedPage } from './page/stays.ts';
import type { RulesJob } from './rulesWorker.ts';

/**
 * The embedded agent: needs no key and no network, invents no text, and answers the same for the same input.
 * `generatePage` maps the context's data onto the template's slots; `step` follows a documented set of plain-English
 * instructions. Both read texts of customers, and run in threads.
 * @param list the address at which all instructions are listed, for those who ask for another one
 */
export function createRulesAgent(threads = createThreads(), list?: () => string) {
  const worker = new URL('./rulesWorker.ts', import.meta.url);
  const onPage = (job: Extract<RulesJob, { item: unknown }>, work: Work) => {
    const overLimit = (limit: string) =>
      `Page ${job.item.targetPageSlug} takes more than ${limit} to write: shorten its context`;
    return threads.run<RulesJob>(worker, job, overLimit, work);
  };
  return {
    generatePage: ({ template, item }: Pick<PageJob, 'template' | 'item'>, work = ownWork) =>
      onPage({ template, item }, work) as Promise<GeneratedPage>,
    /** The same, with what of the page would be the template's. */
    checkPage: ({ template, item }: Pick<PageJob, 'template' | 'item'>, work = ownWork) =>
      onPage({ template, item, isCheck: true }, work) as Promise<CheckedPage>,
    step: (conversation, work = ownWork) => {
      const overLimit = (limit: string) => `The prompt takes more than ${limit} to read: shorten it`;
      return threads.run<RulesJob>(
        worker,
        { conversation, ...defined({ list: list?.() }) },
        overLimit,
        work,
      ) as Promise<Turn>;
    },
    close: () => threads.close(),
  } satisfies Agent & { checkPage: unknown; close(): Promise<void> };
}
