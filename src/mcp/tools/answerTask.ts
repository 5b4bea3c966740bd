import { Joi } from '../../boundedJoi.ts';
import { answerBody } from '../../api/routes/tasks/tasks.schema.ts';
import { answerTaskQuestion, type AnswerRequest } from '../../tasks/answerQuestion.ts';
import { type ChangingArgs, requireTaskId, submissionTo, TASKS_PATH } from '../startingTool.ts';
import { toolAnswer, pickFields, idempotencyKey, textField, taskId } from '../schemas.ts';
import { startHints, type AssistantTool } from '../tool.ts';

/** `answer_task`: passes a person's answer to the question of a running task. */
export const answerTaskTool: AssistantTool<AnswerRequest & ChangingArgs> = {
  name: 'answer_task',
  title: 'Answer a task',
  description:
    "Answers the question of a running task (`progress.waitingFor` of get_task) in the person's words. The task then continues. Repeating an answer has no effect.",
  hints: { ...startHints, idempotentHint: true, openWorldHint: false },
  input: Joi.object({ taskId, ...pickFields(answerBody, 'answer', 'questionId'), idempotencyKey }),
  output: toolAnswer({
    taskId: textField('The task.').required(),
    status: Joi.valid('running').required(),
  }),
  limit: 'create',
  starts: true,
  async run(call, { idempotencyKey, ...answerFields }) {
    const taskId = requireTaskId(call, answerFields.taskId);
    const submission = submissionTo(`${TASKS_PATH}/${taskId}/answer`, idempotencyKey);
    await answerTaskQuestion(call.caller, call.deps, answerFields, submission);
    return {
      taskId,
      status: 'running',
      next: `Call get_task with taskId ${taskId}. It waits until the task finishes or asks the next question.`,
    };
  },
};
