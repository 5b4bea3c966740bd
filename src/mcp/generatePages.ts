import { generatePagesTaskBody } from '../api/routes/tasks.schema.ts';
import { type NewTask, startsTask } from './newTask.ts';
import { starts, type Tool } from './tool.ts';

export const generatePages: Tool<NewTask<'generate_pages'>> = {
  name: 'generate_pages',
  title: 'Make pages',
  description:
    'Starts a task that makes one page for each item (10 at most) from a template page of the site: its layout with the texts of the item. All of them, or none. Each gets a preview; with `publish` they go live.',
  hints: starts,
  ...startsTask('generate_pages', generatePagesTaskBody, [
    'templatePageSlug',
    'items',
    'linkFrom',
    'baseTaskId',
    'publish',
    'onWarnings',
    'model',
    'ask',
    'title',
  ]),
};
