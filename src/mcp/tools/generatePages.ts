import { generatePagesTaskBody } from '../../api/routes/tasks/tasks.schema.ts';
import { type NewTaskArgs, startingTool } from '../startingTool.ts';
import { startHints, type AssistantTool } from '../tool.ts';

export const generatePagesTool: AssistantTool<NewTaskArgs<'generate_pages'>> = {
  name: 'generate_pages',
  title: 'Make pages',
  description:
    'Starts a task that makes one page for each item (10 at most) from a template page of the site: its layout with the texts of the item. All of them, or none. Each gets a preview; with `publish` they go live.',
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
