import { promptTaskBody } from '../api/routes/tasks.schema.ts';
import { type NewTask, startsTask } from './newTask.ts';
import { promptReaderOf } from './promptReader.ts';
import { starts, type Tool } from './tool.ts';

export const changeSite: Tool<NewTask<'prompt'>> = {
  name: 'change_site',
  title: 'Change a site',
  description: (parts) =>
    `Starts a task that changes a site by the instructions of a text. ${promptReaderOf(parts)} The changes get a preview; with \`publish\` they go live.`,
  hints: { ...starts, destructiveHint: true },
  ...startsTask('prompt', promptTaskBody, [
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
