import { Joi } from '../../boundedJoi.ts';
import { followUpBody } from '../../api/routes/tasks/tasks.schema.ts';
import { previewRetry, startRetryTask } from '../../tasks/retryTask.ts';
import {
  askToPublishAtOnce,
  type ChangingArgs,
  followUpSubmission,
  requireTaskId,
  refuseTaskProblems,
} from '../startingTool.ts';
import {
  confirmField,
  pickFields,
  idempotencyKey,
  presentStart,
  startedAnswer,
  taskId,
} from '../schemas.ts';
import { startHints, type AssistantTool } from '../tool.ts';

type RetryTaskArgs = { taskId: string; title?: string } & ChangingArgs;

/**
 * `retry_task`: repeats a failed `generate_pages` task. If that would publish, it first refuses a
 * retry that would fail, and then asks the person. A retry without `publish` is started at once.
 */
export const retryTaskTool: AssistantTool<RetryTaskArgs> = {
  name: 'retry_task',
  title: 'Retry a task',
  description:
    'Starts a task that repeats a failed generate_pages task. It reuses the pages that the failed task has written. If the failed task had `publish` true, a person must agree.',
  hints: startHints,
  input: Joi.object({
    taskId,
    ...pickFields(followUpBody, 'title'),
    confirm: confirmField,
    idempotencyKey,
  }),
  output: startedAnswer,
  limit: 'create',
  starts: true,
  async isPublishing(call, { taskId }) {
    const { caller, deps } = call;
    return (await deps.tasks.find(caller.organizationId, requireTaskId(call, taskId))).publish;
  },
  async question(call, args) {
    const { caller, deps, jobOwner } = call;
    const { request, idempotency } = followUpSubmission(call, args, 'retry');
    const retryCheck = await previewRetry(caller, deps, request, idempotency);
    if (!retryCheck) return null;
    const { site, fields } = retryCheck;
    const { baseTask, model } = fields;
    refuseTaskProblems(
      await deps.checkTask(
        { site, baseTask, work: fields.work, isModel: model !== undefined },
        jobOwner,
      ),
    );
    return askToPublishAtOnce(deps, site);
  },
  async run(call, args) {
    const { request, idempotency } = followUpSubmission(call, args, 'retry');
    return presentStart(await startRetryTask(call.caller, call.deps, request, idempotency));
  },
};
