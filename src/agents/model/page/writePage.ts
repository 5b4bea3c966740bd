import type { JSONSchema7 } from 'ai';
import { callsIn } from '../../../threads/calls.ts';
import type { Threads, Work } from '../../../threads/threads.ts';
import { finalError } from '../../../errors.ts';
import type {
  AskingPageJob,
  GeneratedPage,
  PageAnswer,
  PageJob,
  PageQuestion,
} from '../../agent.ts';
import type { Caller } from '../call.ts';
import { answerOrQuestionSchema, answerSchema } from './answer.ts';
import { askingInstructions, instructions } from './instructions.ts';
import type { PageWriting } from './pageQuestions.ts';
import type { ModelPageCalls } from './pageWorker.ts';

const worker = new URL('./pageWorker.ts', import.meta.url);

/** Who writes, and in which form. */
interface Writing {
  caller: Caller;
  threads: Threads;
  instructions: string;
  schema: JSONSchema7;
}

/**
 * Makes one call that lets a language model write a page's texts, or correct a rejected answer.
 * Threads read all texts.
 * @returns the page, or the answer with its problems. Its usage is that of this call
 * @throws DomainError as the call does, and LIMIT_EXCEEDED for a page that takes too much to read;
 *   the signal's reason
 */
export const writePage = (
  caller: Caller,
  job: PageJob,
  work: Work,
  threads: Threads,
): Promise<PageAnswer> =>
  // without `questions` no answer is a question
  callOnce({ caller, threads, instructions, schema: answerSchema }, job, work) as never;

/** As `writePage`, by a model that may ask people instead. */
export const writeOrAsk = (
  caller: Caller,
  job: AskingPageJob,
  work: Work,
  threads: Threads,
): Promise<PageAnswer | PageQuestion> =>
  callOnce(
    { caller, threads, instructions: askingInstructions, schema: answerOrQuestionSchema },
    job,
    work,
  );

async function callOnce(
  { caller, threads, ...form }: Writing,
  job: PageJob | AskingPageJob,
  work: Work,
): Promise<PageAnswer | PageQuestion> {
  const { taskId, siteId, checkLink, ...page } = job;
  const call = callsIn<ModelPageCalls>(threads, {
    worker,
    overLimit,
    shared: { requestOf: ['template'], answerOf: ['template'] },
  })(work);
  const prompt = await call('requestOf', page);
  const { value, usage } = await caller.object(
    { organizationId: work.organizationId, siteId, taskId, prompt, ...form },
    work.signal,
  );
  const read = await call('answerOf', page, value);
  if ('asked' in read) return { ...read, usage };
  const wrong = await wrongLinks(read, checkLink);
  const answer = wrong.length > 0 ? { rejected: { answer: value ?? null, problems: wrong } } : read;
  return answer.rejected ? { rejected: { ...answer.rejected, usage } } : { ...answer, usage };
}

const overLimit = (limit: string, _name: string, [page]: unknown[]) =>
  `Page ${(page as PageWriting).item.targetPageSlug} takes more than ${limit} to read: shorten its context`;

/** Sentences on links of a page that lead nowhere. */
async function wrongLinks(
  { rejected, ...page }: PageAnswer,
  checkLink: PageJob['checkLink'],
): Promise<string[]> {
  const links = rejected ? {} : ((page as GeneratedPage).links ?? {});
  const problems: string[] = [];
  for (const [id, target] of Object.entries(links))
    try {
      await checkLink?.(target);
    } catch (error) {
      problems.push(`The link ${id} can't lead to ${target}: ${finalError(error).message}`);
    }
  return problems;
}
