import { Joi } from '../joi.ts';
import type { TaskListQuery } from '../api/routes/taskLists.schema.ts';
import { taskListQuery } from '../api/routes/taskLists.schema.ts';
import { listTasks as read } from '../api/routes/taskLists.ts';
import { answerOf, fieldsOf, listOf, nextCursor, partOf, string } from './schemas.ts';
import { reads, type Tool } from './tool.ts';

export const listTasks: Tool<TaskListQuery> = {
  name: 'list_tasks',
  title: 'List tasks',
  description: "Lists the organization's tasks: running ones, then the latest finished.",
  hints: reads,
  input: Joi.object({
    ...fieldsOf(taskListQuery, 'siteId', 'status', 'type', 'title', 'limit', 'cursor'),
  }),
  output: answerOf({
    tasks: listOf(
      partOf({
        taskId: string('For the other tools.').required(),
        title: string('What it does.').required(),
        type: string('`prompt`, `generate_pages`, `publish` …').required(),
        siteId: string('Its site.').required(),
        status: Joi.valid('running', 'completed', 'failed').required(),
        createdAt: string('ISO 8601, UTC.').required(),
        finishedAt: string('ISO 8601, UTC.'),
        live: Joi.boolean().required().description('Whether all of its pages are live.'),
        pages: Joi.number().integer().description('How many pages it changed.'),
      }),
      'The newest first.',
    ).required(),
    nextCursor,
  }),
  async run({ caller, parts }, query) {
    const { tasks, nextCursor } = await read(caller, parts, query);
    return {
      tasks: tasks.map(({ taskId, title, type, siteId, status, createdAt, ...task }) => ({
        taskId,
        title,
        type,
        siteId,
        status,
        createdAt,
        ...(task.finishedAt !== undefined && { finishedAt: task.finishedAt }),
        live: task.live,
        ...(task.pages !== undefined && { pages: task.pages }),
      })),
      nextCursor,
      next: 'Call get_task for the pages of a task.',
    };
  },
};
