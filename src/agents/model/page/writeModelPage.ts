import type { JSONSchema7 } from 'ai';
import { bindThreadCalls } from '../../../threads/threadCalls.ts';
import type { ThreadPool, JobOwner } from '../../../threads/threadPool.ts';
import { finalError } from '../../../errors.ts';
import type {
  AskingPageJob,
  GeneratedPage,
  PageAnswer,
  PageWritingJob,
  PageQuestion,
} from '../../shared/agentTypes.ts';
import type { ModelCaller } from '../calls/modelCaller.ts';
import { answerOrQuestionSchema, answerSchema } from './answerForm.ts';
import { answerProblems } from './answerProblems.ts';
import { askingPageInstructions, pageInstructions } from './pageInstructions.ts';
import type { ModelPageJob } from './pageQuestions.ts';
import type { ModelPageCalls } from './pageWorker.ts';

/**
 * Lets a language model write the texts of one new page. The model sees the texts of a template,
 * the page whose design the new page takes, as slots with ids. It never sees HTML.
 *
 * 1. `pageRequest.ts` makes the request from the instructions (`pageInstructions.ts`), the template
 *    (`templateOutline.ts`) and the item's context, which says what the page is to be about.
 * 2. The model answers in the form of `answerForm.ts`:
 *    `{"texts": [{"id": "s12", "text": "Web design in Lisbon"}], "groups": [], "links": []}`. If it
 *    may, it asks people a question instead (`pageQuestions.ts`).
 * 3. `checkAnswer.ts`, `checkAnsweredLinks.ts` and `textProblems.ts` find what is wrong with the
 *    answer. A rejected answer goes back to the model once, for a repair.
 * 4. `createPageFromAnswer.ts` makes the page:
 *    `{ texts: { s12: 'Web design in Lisbon' }, notes: [] }`. Its notes name what a person should
 *    check, such as a price that the model invented (`findInventions.ts`, `modelNotes.ts`) or that
 *    is still the template's (`pageFacts.ts`).
 */

const workerUrl = new URL('./pageWorker.ts', import.meta.url);

/** Who writes the page, and in which form. */
interface ModelWriter {
  caller: ModelCaller;
  threads: ThreadPool;
  instructions: string;
  schema: JSONSchema7;
}

/**
 * Makes one call that lets a language model write a page's texts, or repair a rejected answer. The
 * texts are read in worker threads.
 * @returns the page, or the rejected answer with its problems. Its `usage` is that of this call
 * @throws DomainError as the call does, and LIMIT_EXCEEDED for a page that takes too much to read;
 *   the signal's reason
 */
export const writeModelPage = (
  caller: ModelCaller,
  job: PageWritingJob,
  work: JobOwner,
  threads: ThreadPool,
): Promise<PageAnswer> =>
  // without `questions` no answer is a question
  callModelOnce(
    { caller, threads, instructions: pageInstructions, schema: answerSchema },
    job,
    work,
  ) as never;

/** As `writeModelPage`, by a model that may ask people instead. */
export const writeModelPageOrAsk = (
  caller: ModelCaller,
  job: AskingPageJob,
  work: JobOwner,
  threads: ThreadPool,
): Promise<PageAnswer | PageQuestion> =>
  callModelOnce(
    { caller, threads, instructions: askingPageInstructions, schema: answerOrQuestionSchema },
    job,
    work,
  );

async function callModelOnce(
  { caller, threads, ...answerForm }: ModelWriter,
  job: PageWritingJob | AskingPageJob,
  work: JobOwner,
): Promise<PageAnswer | PageQuestion> {
  const { taskId, siteId, checkLink, ...page } = job;
  const call = bindThreadCalls<ModelPageCalls>(threads, {
    worker: workerUrl,
    overLimit: pageOverLimit,
    shared: { requestOf: ['template'], answerOf: ['template'] },
  })(work);
  const prompt = await call('requestOf', page);
  const { value, usage } = await caller.object(
    { organizationId: work.organizationId, siteId, taskId, prompt, ...answerForm },
    work.signal,
  );
  const pageAnswer = await call('answerOf', page, value);
  if ('asked' in pageAnswer) return { ...pageAnswer, usage };
  const linkProblems = await findWrongLinks(pageAnswer, checkLink);
  const answer =
    linkProblems.length > 0
      ? { rejected: { answer: value ?? null, problems: linkProblems } }
      : pageAnswer;
  return answer.rejected ? { rejected: { ...answer.rejected, usage } } : { ...answer, usage };
}

export const pageOverLimit = (limit: string, _name: string, [page]: unknown[]) =>
  `Page ${(page as ModelPageJob).item.targetPageSlug} takes more than ${limit} to read. Shorten its context`;

/** Sentences on the new links of a page that lead nowhere. */
async function findWrongLinks(
  { rejected, ...page }: PageAnswer,
  checkLink: PageWritingJob['checkLink'],
): Promise<string[]> {
  const links = rejected ? {} : ((page as GeneratedPage).links ?? {});
  const problems: string[] = [];
  for (const [id, target] of Object.entries(links))
    try {
      await checkLink?.(target);
    } catch (error) {
      problems.push(answerProblems.brokenLink(id, target, finalError(error).message));
    }
  return problems;
}
