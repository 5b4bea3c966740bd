import type { ModelMessage } from 'ai';
import {
  type AnsweredQuestion,
  type AskedQuestion,
  limits,
  type Note,
  noteOn,
  type PageItem,
} from '../../../contract/task.ts';
import { visible } from '../../../contract/visible.ts';
import type { AskingPageJob, PageJob } from '../../agent.ts';
import { readQuestion } from './answer.ts';

/** A page to write. `questions`: absent if the model may not ask. */
export type PageWriting = Omit<PageJob, 'taskId' | 'siteId' | 'checkLink'> &
  Partial<Pick<AskingPageJob, 'questions'>>;
type Asking = Pick<PageWriting, 'questions' | 'rejected'>;

/** Whether the model may ask (once more). Where nobody answered, nobody is asked again. */
const mayAsk = ({ questions, rejected }: Asking) =>
  questions !== undefined &&
  !rejected &&
  questions.length < limits.questionsPerPage &&
  questions.every(({ answer }) => answer !== null);

/** The question that a model asks instead of writing; undefined if it asks none, or may not. */
export const questionIn = (job: Asking, value: unknown): AskedQuestion | undefined =>
  mayAsk(job) ? readQuestion(value) : undefined;

/** The page's questions so far with their answers, as a model reads them. */
export const questionMessages = (job: Asking): ModelMessage[] =>
  (job.questions ?? []).flatMap(({ question, options, answer }, i, all): ModelMessage[] => {
    const asked = { texts: [], groups: [], links: [], ask: { question, options } };
    const more = i === all.length - 1 && mayAsk(job) ? '' : ' Ask nothing more.';
    const says =
      answer === null
        ? 'There is no answer to that.'
        : `The customer answers, each line behind a bar:\n\n${barred(visible(answer))}\n\n`;
    return [
      { role: 'assistant', content: JSON.stringify(asked) },
      { role: 'user', content: `${says.trimEnd()}\n\nWrite the texts of the new page.${more}` },
    ];
  });

/** An item whose context has what people answered, for checks of who said what a page says. */
export const heard = (item: PageItem, questions: AnsweredQuestion[] = []): PageItem => ({
  ...item,
  context: [item.context, ...questions.flatMap(({ answer }) => answer ?? [])].join('\n'),
});

export const unansweredNotes = (slug: string, questions: AnsweredQuestion[] = []): Note[] =>
  questions
    .filter(({ answer }) => answer === null)
    .map(({ question }) =>
      noteOn(slug, 'undone', `nobody answered: ${question}`, { value: question }),
    );

/** Puts a bar before each line, so that no text in it can end the block. */
export const barred = (text: string) => `| ${text.replaceAll('\n', '\n| ')}`;
