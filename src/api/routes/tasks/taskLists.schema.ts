import { Joi } from '../../../boundedJoi.ts';
import { taskTypes } from '../../../contract/responses/tasks.ts';
import type { TaskStatus } from '../../../contract/task.ts';
import { TITLE_LENGTH } from '../../../contract/text/taskTitles.ts';
import type { LatestCallbackState, TaskListRequest } from '../../../temporal/tasks/taskService.ts';
import { limitSchema } from '../../cursors.ts';
import { textSchema } from '../../textSchema.ts';
import { uuidText } from './tasks.schema.ts';

/** The query of GET /agent/tasks. */
export type TaskListQuery = Omit<TaskListRequest, 'organizationId'>;

const statuses: TaskStatus[] = ['running', 'completed', 'failed'];
const callbackStates: LatestCallbackState[] = ['pending', 'accepted', 'failed'];

export const taskListQuery = Joi.object<TaskListQuery>({
  siteId: uuidText().lowercase().description('Return only tasks of this site.'),
  status: Joi.string()
    .valid(...statuses)
    .description('Return only tasks with this status.'),
  type: Joi.string()
    .valid(...taskTypes)
    .description('Return only tasks of this type.'),
  title: textSchema()
    .line(TITLE_LENGTH)
    .custom((value: string, helpers) =>
      /[\p{L}\p{N}]/u.test(value) ? value : helpers.error('any.invalid'),
    )
    .messages({ 'any.invalid': '{{#label}} must contain a word' })
    .description(
      'Return only tasks whose titles contain all of these words, in any case and order.',
    ),
  createdBy: uuidText()
    .lowercase()
    .description('Return only tasks that this person (`userId`) or key (`keyId`) created.'),
  callback: Joi.string()
    .valid(...callbackStates)
    .description('Return only tasks whose latest callback delivery is in this state.'),
  limit: limitSchema('tasks'),
  cursor: Joi.string()
    .max(2_000)
    .description('The `nextCursor` of the previous response. Send the same filters.'),
});
