import { Joi } from '../../../boundedJoi.ts';
import type { TaskStatus, TaskType } from '../../../contract/task.ts';
import { TITLE_LENGTH } from '../../../contract/text/taskTitles.ts';
import type { LatestCallbackState, TaskListRequest } from '../../../temporal/tasks/taskService.ts';
import { limitSchema } from '../../cursors.ts';
import { textSchema } from '../../textSchema.ts';
import { uuidText } from './tasks.schema.ts';

/** The query of GET /agent/tasks. */
export type TaskListQuery = Omit<TaskListRequest, 'organizationId'>;

const statuses: TaskStatus[] = ['running', 'completed', 'failed'];
const callbackStates: LatestCallbackState[] = ['pending', 'accepted', 'failed'];
const types: TaskType[] = ['prompt', 'generate_pages', 'publish', 'restore', 'drop'];

export const taskListQuery = Joi.object<TaskListQuery>({
  siteId: uuidText().lowercase().description('Only tasks of this site.'),
  status: Joi.string()
    .valid(...statuses)
    .description('Only tasks of this status.'),
  type: Joi.string()
    .valid(...types)
    .description('Only tasks of this type.'),
  title: textSchema()
    .line(TITLE_LENGTH)
    .custom((value: string, helpers) =>
      /[\p{L}\p{N}]/u.test(value) ? value : helpers.error('any.invalid'),
    )
    .messages({ 'any.invalid': '{{#label}} must have a word' })
    .description('Only tasks whose titles have all of these words, in any case and order.'),
  createdBy: uuidText()
    .lowercase()
    .description('Only tasks that this person, or this key, made: a `userId` or a `keyId`.'),
  callback: Joi.string()
    .valid(...callbackStates)
    .description('Only tasks whose callback is in this state: that of its latest delivery.'),
  limit: limitSchema('tasks'),
  cursor: Joi.string()
    .max(2_000)
    .description('`nextCursor` of the answer before, to the same filters.'),
});
