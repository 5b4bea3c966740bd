import { pack } from '../../threads/sharedValues.ts';
import { DomainError, hasCode } from '../../errors.ts';
import { createThreads, ownWork, type Work } from '../../threads/threads.ts';
import type { GeneratedPage, PageJob } from '../agent.ts';
import type { CheckedPage, DroppedNotes, Rules, RulesChecks } from '../port.ts';
import { carryOut, type Reader } from './carryOut.ts';
import type { Advanced, Plan } from './prompt/promptJobs.ts';
import type { RulesJob } from './rulesWorker.ts';

/** Where all wordings are listed, if no service shows the list. */
const LIST = 'docs/prompts.md';

type WritePage = Pick<PageJob, 'template' | 'item'>;

/**
 * Creates the embedded agent. It needs no key and no network, invents no text, and gives the same
 * answer for the same input. `generatePage` puts the context's data into the template's slots.
 * `carryOut` follows the documented instructions in plain English. Both read customers' texts, so
 * they run in threads.
 * @param list returns the URL of the list of all wordings, for error messages
 */
export function createRulesAgent(threads = createThreads(), list?: () => string) {
  const worker = new URL('./rulesWorker.ts', import.meta.url);
  const runner =
    (overLimit: (limit: string) => string) =>
    <Result>(job: RulesJob, work: Work) =>
      threads.run<RulesJob>(worker, job, overLimit, work) as Promise<Result>;
  const writing = ({ targetPageSlug }: { targetPageSlug: string }) =>
    runner(
      (limit) => `Page ${targetPageSlug} takes more than ${limit} to write: shorten its context`,
    );
  const reading = runner((limit) => `The prompt takes more than ${limit} to read: shorten it`);
  const readerFor = (work: Work): Reader => ({
    plan: (request) => reading<Plan>({ request }, work),
    advance: (step, answers, instructions) =>
      reading<Advanced>({ step, answers, instructions }, work),
  });
  return {
    generatePage: ({ template, item }: WritePage, work = ownWork) =>
      writing(item)<GeneratedPage>(packed({ template, item }), work),
    dropNoted: ({ page, notes }, work = ownWork) =>
      runner((limit) => `Page ${page.slug} takes more than ${limit} to read`)<DroppedNotes>(
        { page, notes },
        work,
      ),
    checkPage: ({ template, item }, work = ownWork) =>
      writing(item)<CheckedPage>(packed({ template, item, isCheck: true }), work),
    listKeys: (slots, work = ownWork) =>
      runner((limit) => `The page takes more than ${limit} to read`)<Record<string, string>>(
        { slots },
        work,
      ),
    carryOut: (workspace, prompt, work = ownWork) =>
      carryOut(readerFor(work), workspace, prompt).catch((error: unknown) => {
        if (!hasCode(error, 'NOT_UNDERSTOOD')) throw error;
        const { code, message } = error;
        throw new DomainError(code, `${message} All instructions: ${list?.() ?? LIST}`, {
          cause: error,
        });
      }),
    close: () => threads.close(),
  } satisfies Rules & RulesChecks & { close(): Promise<void> };
}

const packed = (job: Extract<RulesJob, { item: unknown }>) => pack(job, ['template']) as RulesJob;
