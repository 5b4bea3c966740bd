import Joi from 'joi';
import type { TaskStatus, TaskType } from '../../contract/task.ts';
import { uuid } from './tasks.schema.ts';

/** The query of GET /agent/tasks. */
export interface TaskListQuery {
  siteId?: string;
  status?: TaskStatus;
  type?: TaskType;
  limit: number;
  cursor?: string;
}

const statuses: TaskStatus[] = ['running', 'completed', 'failed'];
const types: TaskType[] = ['prompt', 'generate_pages', 'publish', 'restore'];

export const taskListQuery = Joi.object<TaskListQuery>({
  siteId: Joi.string()
    .pattern(uuid)
    .lowercase()
    .messages({ 'string.pattern.base': '{{#label}} must be a UUID' })
    .description('Only tasks of this site.'),
  status: Joi.string()
    .valid(...statuses)
    .description('Only tasks of this status.'),
  type: Joi.string()
    .valid(...types)
    .description('Only tasks of this type.'),
  limit: Joi.number().integer().min(1).max(100).default(20).description('How many tasks at most.'),
  cursor: Joi.string().max(2_000).description('`nextCursor` of the answer before, to the same filters.'),
});
