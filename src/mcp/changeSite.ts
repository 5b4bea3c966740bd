import Joi from 'joi';
import { promptTaskBody } from '../api/routes/tasks.schema.ts';
import { create } from '../tasks/create.ts';
import { askAboutNewTask, type NewTask, sentTo, TASKS } from './newTask.ts';
import { confirm, fieldsOf, idempotencyKey, presentStart, started } from './schemas.ts';
import { starts, type Tool } from './tool.ts';

export const changeSite: Tool<NewTask<'prompt'>> = {
  name: 'change_site',
  title: 'Change a site',
  description:
    'Starts a task that changes a site by instructions in plain English, such as `Change the headline of /pricing to "Fair prices"`. The changes get a preview; with `publish` they go live.',
  hints: { ...starts, destructiveHint: true },
  input: Joi.object({
    ...fieldsOf(
      promptTaskBody,
      'siteId',
      'prompt',
      'baseTaskId',
      'publish',
      'onWarnings',
      'model',
      'budget',
      'ask',
      'title',
    ),
    confirm,
    idempotencyKey,
  }),
  output: started,
  limit: 'create',
  starts: true,
  isPublishing: (_, { publish }) => publish,
  question: askAboutNewTask,
  async run({ caller, parts }, { confirm: _, idempotencyKey, ...request }) {
    const asked = { ...request, command: 'prompt' as const };
    return presentStart(await create(caller, parts, asked, sentTo(TASKS, idempotencyKey)));
  },
};
