import { pack } from '../../threads/sharedValues.ts';
import { createThreads, ownWork, type Work } from '../../threads/threads.ts';
import { defined } from '../../contract/defined.ts';
import type { GeneratedPage, PageJob } from '../agent.ts';
import type { Rules } from '../port.ts';
import type { Workspace } from '../workspace.ts';
import { carryOut, type Reader } from './carryOut.ts';
import type { Advanced, Plan, Proposal } from './prompt/promptJobs.ts';
import type { DropJob, DroppedNotes } from './page/dropNoted.ts';
import type { CheckedPage } from './page/checkPage.ts';
import type { RulesJob } from './rulesWorker.ts';

/**
 * The embedded agent: needs no key and no network, invents no text, and answers the same for the
 * same input. `generatePage` maps the context's data onto the slots of the template; `carryOut`
 * follows documented plain-English instructions. Both read texts of customers, and run in threads.
 * @param list the address at which all instructions are listed, for those who ask for another one
 */
export function createRulesAgent(threads = createThreads(), list?: () => string) {
  const worker = new URL('./rulesWorker.ts', import.meta.url);
  const onPage = (job: Extract<RulesJob, { item: unknown }>, work: Work) => {
    const overLimit = (limit: string) =>
      `Page ${job.item.targetPageSlug} takes more than ${limit} to write: shorten its context`;
    return threads.run<RulesJob>(worker, pack(job, ['template']) as RulesJob, overLimit, work);
  };
  const readerFor = (work: Work): Reader => {
    const overLimit = (limit: string) => `The prompt takes more than ${limit} to read: shorten it`;
    const read = (job: RulesJob) => threads.run<RulesJob>(worker, job, overLimit, work);
    return {
      plan: (asked) =>
        read({ asked: { ...asked, ...defined({ list: list?.() }) } }) as Promise<Plan | null>,
      advance: (step, answers, instructions) =>
        read({ step, answers, instructions }) as Promise<Advanced>,
    };
  };
  return {
    generatePage: ({ template, item }: Pick<PageJob, 'template' | 'item'>, work = ownWork) =>
      onPage({ template, item }, work) as Promise<GeneratedPage>,
    dropNoted: ({ page, notes }: DropJob, work = ownWork) => {
      const overLimit = (limit: string) => `Page ${page.slug} takes more than ${limit} to read`;
      return threads.run<RulesJob>(
        worker,
        { page, notes },
        overLimit,
        work,
      ) as Promise<DroppedNotes>;
    },
    /** The same, with what of the page would be the template's. */
    checkPage: ({ template, item }: Pick<PageJob, 'template' | 'item'>, work = ownWork) =>
      onPage({ template, item, isCheck: true }, work) as Promise<CheckedPage>,
    carryOut: (workspace, prompt, work = ownWork) => carryOut(readerFor(work), workspace, prompt),
    /** What a prompt that was refused may have meant on this site. */
    propose: async (workspace: Workspace, prompt: string, work = ownWork) => {
      const names = await workspace.answer({ name: 'list_names', arguments: {} });
      const refused = { prompt, pages: await workspace.pages(), names };
      const overLimit = (limit: string) =>
        `The prompt takes more than ${limit} to read: shorten it`;
      return threads.run<RulesJob>(worker, { refused }, overLimit, work) as Promise<Proposal>;
    },
    close: () => threads.close(),
  } satisfies Rules & { checkPage: unknown; propose: unknown; close(): Promise<void> };
}
