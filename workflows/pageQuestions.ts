import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
} from '@temporalio/workflow';
import { type ModelQuestion, limits } from '../src/contract/task.ts';
import { CANCELLED, settle } from './failures.ts';
import type { TaskQuestions } from './taskQuestions.ts';
import type { WithoutPermit } from './withoutPermit.ts';

export interface PageQuestions {
  /**
   * Asks people, once for all pages that ask in the same words.
   * @returns the answer; null if nobody answered in time
   * @throws ApplicationFailure if another page fails meanwhile
   */
  ask: (question: ModelQuestion, slug: string) => Promise<string | null>;
  /** Called when a page is written or has failed. If it failed, open questions are withdrawn. */
  done: (isWritten: boolean) => void;
  /** Releases the task's permit whenever all unfinished pages wait. Resolves when all are done. */
  keepPermit: () => Promise<void>;
}

interface SharedQuestion {
  answer: Promise<string | null>;
  /** The pages that ask it. */
  pages: string[];
  /** Whether people see it now. */
  isShown: boolean;
}

/**
 * Creates the questions that the language model asks people while pages are written in parallel.
 * People see one question at a time. A question that several pages ask in the same words is shown
 * once. While all unfinished pages wait for answers, the task has no permit: others may run.
 * @param pageCount how many pages are written
 */
export function createPageQuestions(
  { questions, withoutPermit }: { questions: TaskQuestions; withoutPermit: WithoutPermit },
  pageCount: number,
): PageQuestions {
  const questionsByWords = new Map<string, SharedQuestion>();
  const askingScope = new CancellationScope();
  let lastAnswer: Promise<unknown> = Promise.resolve();
  let isUnanswered = false;
  let hasFailedPage = false;
  let workingPages = pageCount;
  let unfinishedPages = pageCount;
  let hasPermit = true;
  let permitError: Error | undefined;

  /** Shows a question once those before it have answers. */
  async function showQuestion(
    question: ModelQuestion,
    sharedQuestion: SharedQuestion,
  ): Promise<string | null> {
    await lastAnswer;
    if (askingScope.consideredCancelled) throw new CancelledFailure(CANCELLED);
    if (isUnanswered) return null;
    sharedQuestion.isShown = true;
    const answer = await questions.ask({ ...question, pages: sharedQuestion.pages });
    sharedQuestion.isShown = false;
    isUnanswered = answer === null;
    return answer;
  }

  function beginQuestion(question: ModelQuestion, slug: string): SharedQuestion {
    const sharedQuestion: SharedQuestion = {
      pages: [slug],
      isShown: false,
      answer: Promise.resolve(null),
    };
    if (questionsByWords.size < limits.questionsForPages) {
      sharedQuestion.answer = askingScope.run(() => showQuestion(question, sharedQuestion));
      lastAnswer = settle(sharedQuestion.answer);
    }
    questionsByWords.set(normalizedWords(question), sharedQuestion);
    return sharedQuestion;
  }

  function joinQuestion(sharedQuestion: SharedQuestion, slug: string): SharedQuestion {
    if (sharedQuestion.isShown) questions.alsoAskedBy(slug);
    else sharedQuestion.pages = [...sharedQuestion.pages, slug];
    return sharedQuestion;
  }

  return {
    async ask(question, slug) {
      const existingQuestion = questionsByWords.get(normalizedWords(question));
      const { answer } = existingQuestion
        ? joinQuestion(existingQuestion, slug)
        : beginQuestion(question, slug);
      workingPages--;
      const settledAnswer = await settle(answer);
      workingPages++;
      if (!settledAnswer.ok)
        throw hasFailedPage && !CancellationScope.current().consideredCancelled
          ? otherPageFailed()
          : settledAnswer.error;
      await condition(() => hasPermit || permitError !== undefined);
      if (permitError) throw permitError;
      return settledAnswer.value;
    },
    done(isWritten) {
      workingPages--;
      unfinishedPages--;
      if (isWritten) return;
      hasFailedPage = true;
      askingScope.cancel();
    },
    async keepPermit() {
      try {
        while (unfinishedPages > 0) {
          await condition(() => workingPages === 0);
          if (unfinishedPages === 0) return;
          hasPermit = false;
          await withoutPermit(() => condition(() => workingPages > 0));
          hasPermit = true;
        }
      } catch (error) {
        permitError = error as Error;
      }
    },
  };
}

const normalizedWords = ({ question }: ModelQuestion) =>
  question.toLowerCase().replace(/\s+/g, ' ').trim();

const otherPageFailed = () =>
  ApplicationFailure.nonRetryable(
    'The page was not written: it was waiting for an answer when another page failed',
    'INVALID_INPUT',
  );
