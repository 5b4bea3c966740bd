import { ApplicationFailure, condition, setHandler, upsertMemo } from '@temporalio/workflow';
import type { ModelQuestion, QuestionAnswer, Note, Question } from '../src/contract/task.ts';
import { summaryOptions } from './activityProxies.ts';
import { answerUpdate } from './taskMessages.ts';
import { ANSWER_WAIT_MS } from './policies.ts';
import type { ProgressReporter } from './progress.ts';

/** An answer that the task accepted. `key`: the Idempotency-Key of its request. */
type AcceptedAnswer = Required<Pick<QuestionAnswer, 'answer' | 'questionId'>> &
  Pick<QuestionAnswer, 'key'>;

export interface TaskQuestions {
  /**
   * Asks people a question, and waits for the answer. Only one question can be open.
   * @param question `pages`: slugs of the pages that ask it
   * @returns their answer; null if nobody answered within a week
   */
  ask(question: ModelQuestion & Pick<Question, 'pages'>): Promise<string | null>;
  /** Adds a page to those that ask the current question. */
  alsoAskedBy(slug: string): void;
}

/**
 * Creates the questions of a task to people, and handles the update that answers them. Clients see
 * the open question in the task's progress.
 * @param onAsked called when a question is shown
 */
export function createQuestions(
  progress: ProgressReporter,
  onAsked: (question: Question) => Promise<void>,
): TaskQuestions {
  const acceptedAnswers: AcceptedAnswer[] = [];
  let currentQuestion: Question | undefined;
  let askedCount = 0;

  setHandler(answerUpdate, (givenAnswer) => void acceptAnswer(givenAnswer), {
    validator: validateAnswer,
  });

  /** Whether an answer is for the open question, and does not repeat an accepted one. */
  function isNewAnswer({ questionId, key }: QuestionAnswer): boolean {
    if (key !== undefined && acceptedAnswers.some((earlierAnswer) => earlierAnswer.key === key))
      return false;
    return (
      currentQuestion !== undefined &&
      (questionId ?? currentQuestion.questionId) === currentQuestion.questionId
    );
  }

  function validateAnswer(givenAnswer: QuestionAnswer): void {
    if (isNewAnswer(givenAnswer)) return;
    const repeatedAnswer = acceptedAnswers.find(
      ({ key }) => key !== undefined && key === givenAnswer.key,
    );
    if (repeatedAnswer && !isRepeated(repeatedAnswer, givenAnswer))
      throw answerRejection(
        'IDEMPOTENCY_MISMATCH',
        'The Idempotency-Key was already used with another request body',
      );
    if (repeatedAnswer) return;
    const lastAnswer = acceptedAnswers.findLast(
      ({ questionId }) => questionId === (givenAnswer.questionId ?? questionId),
    );
    if (lastAnswer && isRepeated(lastAnswer, givenAnswer)) return;
    if (lastAnswer && givenAnswer.questionId !== undefined)
      throw answerRejection(
        'CONFLICT',
        `The question ${lastAnswer.questionId} was already answered, and its answer cannot change`,
      );
    throw answerRejection(
      'CONFLICT',
      currentQuestion
        ? `The answer is for another question. The open question of the task is ${currentQuestion.questionId}`
        : 'The task has no open question',
    );
  }

  function acceptAnswer(givenAnswer: QuestionAnswer): void {
    // an answer just before, in the same workflow task, may have answered the question already
    validateAnswer(givenAnswer);
    if (!isNewAnswer(givenAnswer) || !currentQuestion) return;
    const { questionId } = currentQuestion;
    acceptedAnswers.push({ ...givenAnswer, questionId });
    hideQuestion();
    progress.answered(questionId, givenAnswer.answer);
  }

  function showQuestion(question: Question): void {
    currentQuestion = question;
    progress.waitsFor(question);
  }

  function hideQuestion(): void {
    currentQuestion = undefined;
    progress.waitsFor();
  }

  async function waitForAnswer(question: Question): Promise<string | null> {
    showQuestion(question);
    progress.asked(question);
    upsertMemo({ asks: question.questionId });
    await onAsked(question);
    const title = summaryOptions('Time limit for an answer to the question');
    try {
      if (await condition(() => currentQuestion === undefined, ANSWER_WAIT_MS, title))
        return acceptedAnswers.at(-1)!.answer;
      hideQuestion();
      progress.answered(question.questionId, null);
      return null;
    } finally {
      upsertMemo({ asks: null });
      // cancelled
      if (currentQuestion) hideQuestion();
    }
  }

  return {
    ask: (question) =>
      waitForAnswer({
        ...question,
        questionId: `q${++askedCount}`,
        since: new Date().toISOString(),
      }),
    alsoAskedBy(slug) {
      if (currentQuestion)
        showQuestion({ ...currentQuestion, pages: [...(currentQuestion.pages ?? []), slug] });
    },
  };
}

const isRepeated = (
  earlierAnswer: AcceptedAnswer,
  { answer, questionId = earlierAnswer.questionId }: QuestionAnswer,
) => earlierAnswer.answer === answer && earlierAnswer.questionId === questionId;

/** The reason reaches the client: it must not hold texts of customers. */
const answerRejection = (code: 'CONFLICT' | 'IDEMPOTENCY_MISMATCH', message: string) =>
  ApplicationFailure.nonRetryable(message, code);

export const unansweredNote = ({ question }: ModelQuestion): Note => ({
  kind: 'undone',
  text: `Nobody answered the question: ${question}`,
  value: question,
});
