import { Joi } from '../../boundedJoi.ts';
import { requireTaskId } from '../startingTool.ts';
import { toolAnswer, textField, taskId } from '../schemas.ts';
import { startHints, type AssistantTool } from '../tool.ts';

/** `cancel_task`: cancels a running task. */
export const cancelTaskTool: AssistantTool<{ taskId: string }> = {
  name: 'cancel_task',
  title: 'Cancel a task',
  description:
    'Cancels a running task. None of its changes goes live. A task that is already publishing cannot be cancelled.',
  hints: { ...startHints, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: Joi.object({ taskId }),
  output: toolAnswer({
    taskId: textField('The task.').required(),
    status: Joi.valid('running').required().description('The task ends soon.'),
  }),
  limit: 'create',
  async run(call, { taskId }) {
    await call.deps.tasks.cancel(call.caller.organizationId, requireTaskId(call, taskId));
    return {
      taskId,
      status: 'running',
      next: `Call get_task with taskId ${taskId} to check that the task has ended.`,
    };
  },
};
