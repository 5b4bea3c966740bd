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

/** `list_tasks`: lists the tasks of the organization, like GET /agent/tasks. */
export const listTasksTool: AssistantTool<TaskListQuery> = {
  name: 'list_tasks',
  title: 'List tasks',
  description: "Lists the organization's running tasks, then the finished ones, newest first.",
  hints: readHints,
  input: Joi.object({
    ...pickFields(taskListQuery, 'siteId', 'status', 'type', 'title', 'limit', 'cursor'),
  }),
  output: toolAnswer({
    tasks: listField(
      openObject({
        taskId: textField('The id for the other tools.').required(),
        title: textField('The title, which describes the task.').required(),
        type: textField('The task type: `prompt`, `generate_pages`, `publish` …').required(),
        siteId: textField('The site of the task.').required(),
        status: Joi.valid('running', 'completed', 'failed').required(),
        createdAt: textField('A time in ISO 8601, in UTC.').required(),
        finishedAt: textField('A time in ISO 8601, in UTC.'),
        live: Joi.boolean().required().description('Whether all pages of the task are live.'),
        pages: Joi.number().integer().description('The number of pages that the task changed.'),
      }),
      'The tasks, newest first.',
    ).required(),
    nextCursor: nextCursorSchema,
  }),
  async run({ caller, deps }, query) {
    const { tasks, nextCursor } = await listTasks(caller, deps, query);
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
      next: 'Call get_task to see the pages of a task.',
    };
  },
};
