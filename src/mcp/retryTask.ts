import { Joi } from '../joi.ts';
import { followUpBody } from '../api/routes/tasks.schema.ts';
import { retry } from '../tasks/retry.ts';
import { askAboutNewTask, type Changing, knownTask, sentTo, TASKS } from './newTask.ts';
import { confirm, fieldsOf, idempotencyKey, presentStart, started, taskId } from './schemas.ts';
import { starts, type Call, type Tool } from './tool.ts';

type Args = { taskId: string; title?: string } & Changing;

export const retryTask: Tool<Args> = {
  name: 'retry_task',
  title: 'Retry a task',
  description:
    'Starts a task that repeats a failed generate_pages task. Pages that were written already are used again. If the failed task was to publish, a person has to agree.',
  hints: starts,
  input: Joi.object({ taskId, ...fieldsOf(followUpBody, 'title'), confirm, idempotencyKey }),
  output: started,
  limit: 'create',
  starts: true,
  isPublishing: async (call, { taskId }) => (await find(call, taskId)).publish,
  question: async (call, { taskId }) => askAboutNewTask(call, await find(call, taskId)),
  async run(call, { taskId, title, idempotencyKey }) {
    const sent = sentTo(`${TASKS}/${knownTask(call, taskId)}/retry`, idempotencyKey);
    const request = { taskId, ...(title !== undefined && { title }) };
    return presentStart(await retry(call.caller, call.parts, request, sent));
  },
};

const find = (call: Call, taskId: string) =>
  call.parts.tasks.find(call.caller.organizationId, knownTask(call, taskId));
