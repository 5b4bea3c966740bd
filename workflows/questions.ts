import { ApplicationFailure, condition, setHandler, upsertMemo } from '@temporalio/workflow';
import type { AskedQuestion, GivenAnswer, Note, Question } from '../src/contract/task.ts';
import { summary } from './activities.ts';
import { answerUpdate } from './messages.ts';
import { ANSWER_WAIT_MS } from './policies.ts';
import type { Progress } from './progress.ts';

/** Answers of a task, in order. */
type Taken = Required<Pick<GivenAnswer, 'answer' | 'questionId'>> & Pick<GivenAnswer, 'key'>;

export interface Questions {
  /**
   * Asks people. One question at a time.
   * @param asked.pages slugs of the pages that ask it
   * @returns their answer; null if nobody answered in time
   */
  ask(asked: AskedQuestion & Pick<Question, 'pages'>): Promise<string | null>;
  /** Adds a page to those that ask the current question. */
  alsoAskedBy(slug: string): void;
}

/** A task's questions to people. */
export function createQuestions(progress: Progress): Questions {
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
    hide();
    progress.answered(questionId, given.answer);
  }

  function show(question: Question): void {
    current = question;
    progress.waitsFor(question);
  }

  function hide(): void {
    current = undefined;
    progress.waitsFor();
  }

  async function answerTo(question: Question): Promise<string | null> {
    show(question);
    progress.asked(question);
    upsertMemo({ asks: question.questionId });
    const title = summary('How long the question waits for an answer');
    try {
      if (await condition(() => current === undefined, ANSWER_WAIT_MS, title))
        return taken.at(-1)!.answer;
      hide();
      progress.answered(question.questionId, null);
      return null;
    } finally {
      upsertMemo({ asks: null });
      // cancelled
      if (current) hide();
    }
  }

  return {
    ask: (asks) =>
      answerTo({ ...asks, questionId: `q${++asked}`, since: new Date().toISOString() }),
    alsoAskedBy(slug) {
      if (current) show({ ...current, pages: [...(current.pages ?? []), slug] });
    },
  };
}

const isRepeated = (before: Taken, { answer, questionId = before.questionId }: GivenAnswer) =>
  before.answer === answer && before.questionId === questionId;

/** The reason reaches the client: it must not hold texts of customers. */
const refusal = (code: 'CONFLICT' | 'IDEMPOTENCY_MISMATCH', message: string) =>
  ApplicationFailure.nonRetryable(message, code);

export const unansweredNote = ({ question }: AskedQuestion): Note => ({
  kind: 'undone',
  text: `Nobody answered: ${question}`,
  value: question,
});
