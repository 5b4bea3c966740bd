import { promptTaskBody } from '../../api/routes/tasks/tasks.schema.ts';
import { type NewTaskArgs, startingTool } from '../startingTool.ts';
import { startHints, type AssistantTool } from '../tool.ts';

/** `change_site`: starts a prompt task, i.e. one that follows instructions in a text. */
export const changeSiteTool: AssistantTool<NewTaskArgs<'prompt'>> = {
  name: 'change_site',
  title: 'Change a site',
  description: (deps) =>
    `Starts a task that changes a site by the instructions in a text. ${promptReaderWords(deps.assign({}).model)} The changes get a preview. With \`publish\`, they go live.`,
  hints: { ...startHints, destructiveHint: true },
  ...startingTool('prompt', promptTaskBody, [
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

const EXAMPLE_PROMPT = '`Change the headline of /pricing to "Fair prices"`';

/**
 * Says which agent reads the prompt by default, and which texts it understands: the rules (the
 * embedded agent, which needs no language model) or a language model.
 */
export function promptReaderWords(model: string | undefined): string {
  return model === undefined
    ? `The built-in rules read it, not a language model. They understand certain wordings, such as ${EXAMPLE_PROMPT}, and reject any other text. try_prompt says what a text would do, or names the nearest wordings.`
    : `The language model ${model} reads it, so you can use any plain words, such as ${EXAMPLE_PROMPT}.`;
}
