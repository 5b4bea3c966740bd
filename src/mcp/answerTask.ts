import { Joi } from '../joi.ts';
import { answerBody } from '../api/routes/tasks.schema.ts';
import { answer, type AnswerRequest } from '../tasks/answer.ts';
import { type Changing, knownTask, sentTo, TASKS } from './newTask.ts';
import { answerOf, fieldsOf, idempotencyKey, string, taskId } from './schemas.ts';
import { starts, type Tool } from './tool.ts';

export const answerTask: Tool<AnswerRequest & Changing> = {
  name: 'answer_task',
  title: 'Answer a task',
  description:
    "Answers the question that a task waits for (`progress.waitingFor` of get_task), in the person's words. The task then goes on. A repeated answer changes nothing.",
  hints: { ...starts, idempotentHint: true, openWorldHint: false },
  input: Joi.object({ taskId, ...fieldsOf(answerBody, 'answer', 'questionId'), idempotencyKey }),
  output: answerOf({
    taskId: string('The task.').required(),
    status: Joi.valid('running').required(),
  }),
  limit: 'create',
  starts: true,
  async run(call, { idempotencyKey, ...given }) {
    const taskId = knownTask(call, given.taskId);
    const sent = sentTo(`${TASKS}/${taskId}/answer`, idempotencyKey);
    await answer(call.caller, call.parts, given, sent);
    return {
      taskId,
      status: 'running',
      next: `Call get_task with taskId ${taskId}: it waits for the end, or for the next question.`,
    };
  },
};
