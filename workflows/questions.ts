import { ApplicationFailure, condition, setHandler, upsertMemo } from '@temporalio/workflow';
import type { AskedQuestion, GivenAnswer, Note, Question } from '../src/contract/task.ts';
import { summary } from './activities.ts';
import { answerUpdate } from './messages.ts';
import { ANSWER_WAIT_MS } from './policies.ts';
import type { Progress } from './progress.ts';
import type { WithoutPlace } from './withoutPlace.ts';

/** Asks people. @returns their answer; null if nobody answered in time */
export type Ask = (asked: AskedQuestion) => Promise<string | null>;

/** Answers of a task, in order. */
type Taken = Required<Pick<GivenAnswer, 'answer' | 'questionId'>> & Pick<GivenAnswer, 'key'>;

/** A task's questions to people. While one is asked, the task has no place in flight. */
export function createQuestions(progress: Progress, withoutPlace: WithoutPlace): Ask {
  const taken: Taken[] = [];
  let current: Question | undefined;
  let asked = 0;

  setHandler(answerUpdate, (given) => void take(given), { validator: refuse });

  /** Whether an answer is new: the others repeat one that was taken. */
  function isNew({ questionId, key }: GivenAnswer): boolean {
    if (key !== undefined && taken.some((before) => before.key === key)) return false;
    return current !== undefined && (questionId ?? current.questionId) === current.questionId;
  }

  function refuse(given: GivenAnswer): void {
    if (isNew(given)) return;
    const same = taken.find(({ key }) => key !== undefined && key === given.key);
    if (same && !isRepeated(same, given))
      throw refusal(
        'IDEMPOTENCY_MISMATCH',
        'Idempotency-Key was used before with another request body',
      );
    if (same) return;
    const last = taken.findLast(
      ({ questionId }) => questionId === (given.questionId ?? questionId),
    );
    if (last && isRepeated(last, given)) return;
    if (last && given.questionId !== undefined)
      throw refusal('CONFLICT', `Question ${last.questionId} has another answer`);
    throw refusal(
      'CONFLICT',
      current ? `Task asks question ${current.questionId}` : 'Task asks nothing',
    );
  }

  function take(given: GivenAnswer): void {
    // the first of two answers in one workflow task may have been the one that was asked for
    refuse(given);
    if (!isNew(given) || !current) return;
    const { questionId } = current;
    taken.push({ ...given, questionId });
    current = undefined;
    progress.waitsFor();
    progress.answered(questionId, given.answer);
  }

  async function answerTo(question: Question): Promise<string | null> {
    current = question;
    progress.waitsFor(question);
    progress.asked(question);
    upsertMemo({ asks: question.questionId });
    const title = summary('How long the question waits for an answer');
    try {
      await condition(() => current === undefined, ANSWER_WAIT_MS, title);
    } finally {
      upsertMemo({ asks: null });
    }
    if (current === undefined) return taken.at(-1)!.answer;
    current = undefined;
    progress.waitsFor();
    progress.answered(question.questionId, null);
    return null;
  }

  return (asks) =>
    withoutPlace(() => {
      const since = new Date().toISOString();
      return answerTo({ ...asks, questionId: `q${++asked}`, since });
    });
}

const isRepeated = (before: Taken, { answer, questionId = before.questionId }: GivenAnswer) =>
  before.answer === answer && before.questionId === questionId;

/** The reason reaches the client: it must not hold texts of customers. */
const refusal = (code: 'CONFLICT' | 'IDEMPOTENCY_MISMATCH', message: string) =>
  ApplicationFailure.nonRetryable(message, code);

export const unansweredNote = ({ question }: AskedQuestion): Note => ({
  kind: 'unanswered',
  text: `Nobody answered: ${question}`,
  value: question,
});
