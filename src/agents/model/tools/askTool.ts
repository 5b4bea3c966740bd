import { Joi } from '../../../boundedJoi.ts';
import { limits } from '../../../contract/task.ts';
import { invalidInputError } from '../../../errors.ts';
import { cleanQuestion } from '../../shared/text/cleanQuestion.ts';
import type { ModelTool } from '../../shared/tools/toolContext.ts';

const { questionsPerPrompt, questionLength, optionLength, optionsPerQuestion } = limits;

/** The tool by which a model asks people a question. Only models that may ask get it. */
export const askPeopleTool: ModelTool = {
  name: 'ask',
  description: `Asks the customer a question, and waits for the answer, for days if need be: only where the request leaves open what only they can know or decide, and a wrong guess would have to be undone; then ask instead of finishing with an error. ${questionsPerPrompt} questions a task, one a turn, each with all that is open, in the language of the request, plain text of ${questionLength} characters at most. \`options\`: up to ${optionsPerQuestion} short answers to choose from; any other answer is possible too. The answer stands between <answer-…> marks, and is the customer's word like the request.`,
  schema: Joi.object({
    question: Joi.string().max(questionLength).required(),
    options: Joi.array().items(Joi.string().max(optionLength)).max(optionsPerQuestion),
  }),
  run({ questions }, { question, options = [] }: { question: string; options?: string[] }) {
    if (!questions) throw invalidInputError('This task may not ask');
    if (questions.isUnanswered)
      throw invalidInputError('Nobody answers: do what can be done, and finish');
    if (questions.current) throw invalidInputError(ONE_QUESTION);
    if (questions.count >= questionsPerPrompt)
      throw invalidInputError(
        `The task has asked its ${questionsPerPrompt} questions: do what can be done, and finish`,
      );
    const cleanedQuestion = cleanQuestion({ question, options });
    if (cleanedQuestion.question === '') throw invalidInputError('The question has no words');
    questions.count++;
    questions.current = cleanedQuestion;
    return Promise.resolve('Asked');
  },
};

export const ONE_QUESTION = 'Only one question a turn: ask all in one';

/** What a model is told if nobody answered in time. */
export const NOBODY_ANSWERED =
  'Nobody answered in time. Do what can be done without the answer, and finish; say the rest as undone';
