import type { AnsweredQuestion, Budget, PageItem, RejectedPage } from '../src/contract/task.ts';
import { type PackedPage, packPage } from '../src/contract/packedNotes.ts';
import { DomainError } from '../src/errors.ts';
import type { PageAnswer, PageQuestion } from '../src/agents/agent.ts';
import type { Attempt } from './attempt.ts';
import type { OpenTemplate, PagesArgument } from './pageWriter.ts';
import { countTime } from './modelLimits.ts';

interface GeneratePage extends PagesArgument {
  item: PageItem;
  /** The task's budget, if a language model writes the page. */
  budget?: Budget;
  /** The rejected answer of an earlier step, which this step corrects. */
  rejected?: RejectedPage;
  /** The page's questions so far. Absent: the model may not ask people. */
  questions?: AnsweredQuestion[];
}

type WritingResult =
  | (PackedPage & { rejected?: undefined })
  | Extract<PageAnswer, { rejected: object }>
  | PageQuestion;

/**
 * Writes one page's texts, corrects a rejected answer, or asks. Repeatable: it has no effect but
 * its answer. Throws PAGE_REJECTED if the corrected answer is rejected too, CHANGED_BY_DEPLOY,
 * LIMIT_EXCEEDED and the agent's errors.
 */
export function createGeneratePage(openTemplate: OpenTemplate) {
  return async (
    { item, budget, rejected, questions, ...argument }: GeneratePage,
    signal: AbortSignal,
    attempt: Attempt,
  ): Promise<WritingResult & { workedMs?: number }> => {
    const { model } = argument;
    if (model !== undefined) countTime(attempt, budget);
    const { write, writeOrAsk } = await openTemplate(argument, signal);
    const page = await (questions ? writeOrAsk(item, questions, rejected) : write(item, rejected));
    const { usage } = page.rejected ?? page;
    if (usage) attempt.setDetails({ usage });
    if (page.rejected && rejected) throw stillRejected(item, page.rejected);
    const result = page.rejected || 'asked' in page ? page : packPage(page);
    return model === undefined ? result : { ...result, workedMs: attempt.workedMs() };
  };
}

const stillRejected = ({ targetPageSlug }: PageItem, { problems }: RejectedPage) =>
  new DomainError(
    'PAGE_REJECTED',
    `The texts for ${targetPageSlug} can't be used: ${problems.join('; ')}`,
  );
