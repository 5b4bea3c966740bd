import { generatePagesTaskBody } from '../../api/routes/tasks/tasks.schema.ts';
import { type NewTaskArgs, startingTool } from '../startingTool.ts';
import { startHints, type AssistantTool } from '../tool.ts';

export const generatePagesTool: AssistantTool<NewTaskArgs<'generate_pages'>> = {
  name: 'generate_pages',
  title: 'Generate pages',
  description:
    'Starts a task that creates one page for each of up to 10 items from a template page of the site, with the layout of the template and the texts of the item. If one page fails, the task creates none. Each page gets a preview. With `publish`, the pages go live. For more than 10 items, start further tasks, each with the task before it as `baseTaskId`. Publishing the last one makes all pages live.',
  hints: startHints,
  ...startingTool('generate_pages', generatePagesTaskBody, [
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
