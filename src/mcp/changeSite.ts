import { promptTaskBody } from '../api/routes/tasks.schema.ts';
import { type NewTask, startsTask } from './newTask.ts';
import { starts, type Tool } from './tool.ts';
import type { Needs } from '../tasks/ports.ts';

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

const EXAMPLE = '`Change the headline of /pricing to "Fair prices"`';

/** Says which agent reads the text of a prompt by default, and which texts it understands. */
function promptReaderOf({ assign }: Needs<'assign'>): string {
  const { model } = assign({});
  return model === undefined
    ? `The built-in rules read it, not a language model: they know certain wordings, such as ${EXAMPLE}, and refuse any other text. try_prompt says what a text would do, or names the nearest wordings.`
    : `The language model ${model} reads it, so any plain words do, such as ${EXAMPLE}.`;
}
