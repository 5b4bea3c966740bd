import type { ModelMessage } from 'ai';
import {
  type AnsweredQuestion,
  type ModelQuestion,
  limits,
  type Note,
  createPageNote,
  type PageItem,
} from '../../../contract/task.ts';
import { removeInvisible } from '../../../contract/text/removeInvisible.ts';
import type { AskingPageJob, PageWritingJob } from '../../shared/agentTypes.ts';
import { readModelQuestion } from './answerForm.ts';

/**
 * A page that a model is to write. `questions`: those that it has asked; absent if it may not ask.
 */
export type ModelPageJob = Omit<PageWritingJob, 'taskId' | 'siteId' | 'checkLink'> &
  Partial<Pick<AskingPageJob, 'questions'>>;
type QuestionState = Pick<ModelPageJob, 'questions' | 'rejected'>;

/**
 * Whether the model may ask a question, or another one. If nobody answered, nobody is asked again.
 */
const mayAskAgain = ({ questions, rejected }: QuestionState) =>
  questions !== undefined &&
  !rejected &&
  questions.length < limits.questionsPerPage &&
  questions.every(({ answer }) => answer !== null);

/** The question that a model asks instead of writing; undefined if it asks none, or may not. */
export const readPageQuestion = (job: QuestionState, value: unknown): ModelQuestion | undefined =>
  mayAskAgain(job) ? readModelQuestion(value) : undefined;

/** What a model reads after its questions. */
export const questionTexts = {
  answer: 'The customer answers, each line behind a bar:',
  noAnswer: 'There is no answer to that.',
  write: 'Write the texts of the new page.',
  askNothing: 'Ask nothing more.',
};

/** The page's questions so far with their answers, as a model reads them. */
export const createQuestionMessages = (state: QuestionState): ModelMessage[] =>
  (state.questions ?? []).flatMap(
    ({ question, options, answer }, index, allQuestions): ModelMessage[] => {
      const questionObject = { texts: [], groups: [], links: [], ask: { question, options } };
      const askingLimit =
        index === allQuestions.length - 1 && mayAskAgain(state)
          ? ''
          : ` ${questionTexts.askNothing}`;
      const answerSentence =
        answer === null
          ? questionTexts.noAnswer
          : `${questionTexts.answer}\n\n${addBars(removeInvisible(answer))}\n\n`;
      return [
        { role: 'assistant', content: JSON.stringify(questionObject) },
        {
          role: 'user',
          content: `${answerSentence.trimEnd()}\n\n${questionTexts.write}${askingLimit}`,
        },
      ];
    },
  );

/** Adds what people answered to an item's context, so that checks count it as given. */
export const addAnswersToContext = (
  item: PageItem,
  questions: AnsweredQuestion[] = [],
): PageItem => ({
  ...item,
  context: [item.context, ...questions.flatMap(({ answer }) => answer ?? [])].join('\n'),
});

/** A note for each question that nobody answered. */
export const listUnansweredNotes = (slug: string, questions: AnsweredQuestion[] = []): Note[] =>
  questions
    .filter(({ answer }) => answer === null)
    .map(({ question }) => createUnansweredNote(slug, question));

export const createUnansweredNote = (slug: string, question: string): Note =>
  createPageNote(slug, 'undone', `nobody answered the question: ${question}`, { value: question });

/** Puts a bar before each line, so that no text in it can end the block. */
export const addBars = (text: string) => `| ${text.replaceAll('\n', '\n| ')}`;
