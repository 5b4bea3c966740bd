import { Joi } from '../../boundedJoi.ts';
import type { TaskListQuery } from '../../api/routes/tasks/taskLists.schema.ts';
import { taskListQuery } from '../../api/routes/tasks/taskLists.schema.ts';
import { listTasks } from '../../api/routes/tasks/taskLists.ts';
import {
  toolAnswer,
  pickFields,
  listField,
  nextCursorSchema,
  openObject,
  textField,
} from '../schemas.ts';
import { readHints, type AssistantTool } from '../tool.ts';

export const listTasksTool: AssistantTool<TaskListQuery> = {
  name: 'list_tasks',
  title: 'List tasks',
  description: "Lists the organization's tasks: running ones, then the latest finished.",
  hints: readHints,
  input: Joi.object({
    ...pickFields(taskListQuery, 'siteId', 'status', 'type', 'title', 'limit', 'cursor'),
  }),
  output: toolAnswer({
    tasks: listField(
      openObject({
        taskId: textField('For the other tools.').required(),
        title: textField('What it does.').required(),
        type: textField('`prompt`, `generate_pages`, `publish` …').required(),
        siteId: textField('Its site.').required(),
        status: Joi.valid('running', 'completed', 'failed').required(),
        createdAt: textField('ISO 8601, UTC.').required(),
        finishedAt: textField('ISO 8601, UTC.'),
        live: Joi.boolean().required().description('Whether all of its pages are live.'),
        pages: Joi.number().integer().description('How many pages it changed.'),
      }),
      'The newest first.',
    ).required(),
    nextCursor: nextCursorSchema,
  }),
  async run({ caller, parts }, query) {
    const { tasks, nextCursor } = await listTasks(caller, parts, query);
    return {
      tasks: tasks.map(({ taskId, title, type, siteId, status, createdAt, ...otherFields }) => ({
        taskId,
        title,
        type,
        siteId,
        status,
        createdAt,
        ...(otherFields.finishedAt !== undefined && { finishedAt: otherFields.finishedAt }),
        live: otherFields.live,
        ...(otherFields.pages !== undefined && { pages: otherFields.pages }),
      })),
      nextCursor,
      next: 'Call get_task for the pages of a task.',
    };
  },
};
