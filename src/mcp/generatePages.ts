import Joi from 'joi';
import { generatePagesTaskBody } from '../api/routes/tasks.schema.ts';
import { create } from '../tasks/create.ts';
import { askAboutNewTask, type NewTask, sentTo, TASKS } from './newTask.ts';
import { confirm, fieldsOf, idempotencyKey, presentStart, started } from './schemas.ts';
import { starts, type Tool } from './tool.ts';

export const generatePages: Tool<NewTask<'generate_pages'>> = {
  name: 'generate_pages',
  title: 'Make pages',
  description:
    'Starts a task that makes one page for each item (10 at most) from a template page of the site: its layout with the texts of the item. All of them, or none. Each gets a preview; with `publish` they go live.',
  hints: starts,
  input: Joi.object({
    ...fieldsOf(
      generatePagesTaskBody,
      'siteId',
      'templatePageSlug',
      'items',
      'linkFrom',
      'baseTaskId',
      'publish',
      'onWarnings',
      'model',
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
    const asked = { ...request, command: 'generate_pages' as const };
    return presentStart(await create(caller, parts, asked, sentTo(TASKS, idempotencyKey)));
  },
};
