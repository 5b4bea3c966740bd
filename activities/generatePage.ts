import type {
  AnsweredQuestion,
  UsageLimits,
  PageItem,
  RejectedPage,
} from '../src/contract/task.ts';
import { type PackedPage, packPage } from '../src/contract/notes/packNotes.ts';
import { DomainError } from '../src/errors.ts';
import type { PageAnswer, PageQuestion } from '../src/agents/shared/agentTypes.ts';
import type { ActivityAttempt } from './activityAttempt.ts';
import type { OpenTemplate, PagesArgument } from './pageWriter.ts';
import { countTime } from './modelLimits.ts';

interface GeneratePageInput extends PagesArgument {
  item: PageItem;
  /** The task's budget, if a language model writes the page. */
  budget?: UsageLimits;
  /** The rejected answer of an earlier activity, which this one repairs. */
  rejected?: RejectedPage;
  /** The page's questions so far. Absent: the model may not ask people. */
  questions?: AnsweredQuestion[];
}

type WritingResult =
  | (PackedPage & { rejected?: undefined })
  | Extract<PageAnswer, { rejected: object }>
  | PageQuestion;

/**
 * Writes the texts of one page from its template and its item's context. Returns them, a rejected
 * answer of a language model (to be repaired by another activity), or the model's question to
 * people. For example, the context `City: Lisbon` → `{ texts: { s12: 'Web design in Lisbon' }, …
 * }`. Repeatable: it changes nothing outside. Throws PAGE_REJECTED if the repaired answer is
 * rejected too, CHANGED_BY_DEPLOY, LIMIT_EXCEEDED and the agent's errors.
 */
export function createGeneratePage(openTemplate: OpenTemplate) {
  return async (
    { item, budget, rejected, questions, ...argument }: GeneratePageInput,
    signal: AbortSignal,
    attempt: ActivityAttempt,
  ): Promise<WritingResult & { workedMs?: number }> => {
    const { model } = argument;
    if (model !== undefined) countTime(attempt, budget);
    const { write, writeOrAsk } = await openTemplate(argument, signal);
    const pageAnswer = await (questions
      ? writeOrAsk(item, questions, rejected)
      : write(item, rejected));
    const { usage } = pageAnswer.rejected ?? pageAnswer;
    if (usage) attempt.setDetails({ usage });
    if (pageAnswer.rejected && rejected) throw stillRejected(item, pageAnswer.rejected);
    const packedAnswer =
      pageAnswer.rejected || 'asked' in pageAnswer ? pageAnswer : packPage(pageAnswer);
    return model === undefined ? packedAnswer : { ...packedAnswer, workedMs: attempt.workedMs() };
  };
}

const stillRejected = ({ targetPageSlug }: PageItem, { problems }: RejectedPage) =>
  new DomainError(
    'PAGE_REJECTED',
    `The texts for ${targetPageSlug} can't be used: ${problems.join('; ')}`,
  );
