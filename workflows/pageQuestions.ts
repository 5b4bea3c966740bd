import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  condition,
} from '@temporalio/workflow';
import { type AskedQuestion, limits } from '../src/contract/task.ts';
import { CANCELLED, settle } from './failures.ts';
import type { Questions } from './questions.ts';
import type { WithoutPlace } from './withoutPlace.ts';

export interface PageQuestions {
  /**
   * Asks people, once for all pages that ask in the same words.
   * @returns the answer; null if nobody answered in time
   * @throws ApplicationFailure if another page fails meanwhile
   */
  ask: (question: AskedQuestion, slug: string) => Promise<string | null>;
  /** A page is written, or has failed: then the task will, so nobody needs to answer. */
  done: (isWritten: boolean) => void;
  /** Gives the place back whenever all pages wait, until all are done. */
  keepPlace: () => Promise<void>;
}

interface Asked {
  answer: Promise<string | null>;
  /** The pages that ask it. */
  pages: string[];
  /** Whether people see it now. */
  isShown: boolean;
}

/**
 * The questions of pages that are written side by side. People see one at a time, and a question
 * that several pages ask in the same words once. The task has no place in flight while all pages
 * that are not done wait for answers.
 * @param pages how many pages are written
 */
export function createPageQuestions(
  { questions, withoutPlace }: { questions: Questions; withoutPlace: WithoutPlace },
  pages: number,
): PageQuestions {
  const asked = new Map<string, Asked>();
  const asking = new CancellationScope();
  let last: Promise<unknown> = Promise.resolve();
  let isUnanswered = false;
  let isInVain = false;
  let working = pages;
  let left = pages;
  let hasPlace = true;
  let lost: Error | undefined;

  /** Shows a question once those before it have answers. */
  async function show(question: AskedQuestion, own: Asked): Promise<string | null> {
    await last;
    if (asking.consideredCancelled) throw new CancelledFailure(CANCELLED);
    if (isUnanswered) return null;
    own.isShown = true;
    const answer = await questions.ask({ ...question, pages: own.pages });
    own.isShown = false;
    isUnanswered = answer === null;
    return answer;
  }

  function begin(question: AskedQuestion, slug: string): Asked {
    const own: Asked = { pages: [slug], isShown: false, answer: Promise.resolve(null) };
    if (asked.size < limits.questionsForPages) {
      own.answer = asking.run(() => show(question, own));
      last = settle(own.answer);
    }
    asked.set(wordsOf(question), own);
    return own;
  }

  function join(own: Asked, slug: string): Asked {
    if (own.isShown) questions.alsoAskedBy(slug);
    else own.pages = [...own.pages, slug];
    return own;
  }

  return {
    async ask(question, slug) {
      const before = asked.get(wordsOf(question));
      const { answer } = before ? join(before, slug) : begin(question, slug);
      working--;
      const given = await settle(answer);
      working++;
      if (!given.ok)
        throw isInVain && !CancellationScope.current().consideredCancelled ? inVain() : given.error;
      await condition(() => hasPlace || lost !== undefined);
      if (lost) throw lost;
      return given.value;
    },
    done(isWritten) {
      working--;
      left--;
      if (isWritten) return;
      isInVain = true;
      asking.cancel();
    },
    async keepPlace() {
      try {
        while (left > 0) {
          await condition(() => working === 0);
          if (left === 0) return;
          hasPlace = false;
          await withoutPlace(() => condition(() => working > 0));
          hasPlace = true;
        }
      } catch (error) {
        lost = error as Error;
      }
    },
  };
}

const wordsOf = ({ question }: AskedQuestion) => question.toLowerCase().replace(/\s+/g, ' ').trim();

const inVain = () =>
  ApplicationFailure.nonRetryable('It asks a question, but another page failed', 'INVALID_INPUT');
