import { Joi } from '../../boundedJoi.ts';
import { knownTask } from '../startingTool.ts';
import { toolAnswer, textField, taskId } from '../schemas.ts';
import { startHints, type AssistantTool } from '../tool.ts';

export const cancelTaskTool: AssistantTool<{ taskId: string }> = {
  name: 'cancel_task',
  title: 'Cancel a task',
  description:
    'Stops a running task. Nothing of it goes live. A task that publishes already is not stopped.',
  hints: { ...startHints, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: Joi.object({ taskId }),
  output: toolAnswer({
    taskId: textField('The task.').required(),
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
