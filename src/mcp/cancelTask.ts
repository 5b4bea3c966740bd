import { Joi } from '../joi.ts';
import { knownTask } from './newTask.ts';
import { answerOf, string, taskId } from './schemas.ts';
import { starts, type Tool } from './tool.ts';

export const cancelTask: Tool<{ taskId: string }> = {
  name: 'cancel_task',
  title: 'Cancel a task',
  description:
    'Stops a running task. Nothing of it goes live. A task that publishes already is not stopped.',
  hints: { ...starts, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: Joi.object({ taskId }),
  output: answerOf({
    taskId: string('The task.').required(),
    status: Joi.valid('running').required().description('It ends soon.'),
  }),
  limit: 'create',
  async run(call, { taskId }) {
    await call.parts.tasks.cancel(call.caller.organizationId, knownTask(call, taskId));
    return {
      taskId,
      status: 'running',
      next: `Call get_task with taskId ${taskId} to see that it has stopped.`,
    };
  },
};
