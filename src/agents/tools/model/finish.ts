import Joi from 'joi';
import type { Tool } from '../tool.ts';

export const finish: Tool = {
  name: 'finish',
  description:
    'Ends the task. Give `error` only where what was asked for cannot be done: then nothing is changed.',
  schema: Joi.object({
    summary: Joi.string()
      .allow('')
      .max(2_000)
      .required()
      .description('What was done, in a sentence.'),
    error: Joi.string().max(2_000).description('Why it cannot be done.'),
  }),
  run: () => Promise.resolve('Finished'),
};
