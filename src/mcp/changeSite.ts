import { promptTaskBody } from '../api/routes/tasks.schema.ts';
import { type NewTask, startsTask } from './newTask.ts';
import { starts, type Tool } from './tool.ts';

export const changeSite: Tool<NewTask<'prompt'>> = {
  name: 'change_site',
  title: 'Change a site',
  description:
    'Starts a task that changes a site by instructions in plain English, such as `Change the headline of /pricing to "Fair prices"`. The changes get a preview; with `publish` they go live.',
  hints: { ...starts, destructiveHint: true },
  ...startsTask('prompt', promptTaskBody, [
    'siteId',
    'prompt',
    'baseTaskId',
    'publish',
    'onWarnings',
    'model',
    'budget',
    'ask',
    'title',
  ]),
};
