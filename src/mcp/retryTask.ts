import { Joi } from '../joi.ts';
import { followUpBody } from '../api/routes/tasks.schema.ts';
import { checkRetry, retry } from '../tasks/retry.ts';
import {
  askToPublishAtOnce,
  type Changing,
  followUpOf,
  knownTask,
  refuseProblems,
} from './newTask.ts';
import { confirm, fieldsOf, idempotencyKey, presentStart, started, taskId } from './schemas.ts';
import { starts, type Tool } from './tool.ts';

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
  async isPublishing(call, { taskId }) {
    const { caller, parts } = call;
    return (await parts.tasks.find(caller.organizationId, knownTask(call, taskId))).publish;
  },
  async question(call, args) {
    const { caller, parts, work } = call;
    const { request, sent } = followUpOf(call, args, 'retry');
    const found = await checkRetry(caller, parts, request, sent);
    if (!found) return null;
    const { site, fields } = found;
    const { onto, model } = fields;
    refuseProblems(
      await parts.checkTask({ site, onto, work: fields.work, isModel: model !== undefined }, work),
    );
    return askToPublishAtOnce(parts, site);
  },
  async run(call, args) {
    const { request, sent } = followUpOf(call, args, 'retry');
    return presentStart(await retry(call.caller, call.parts, request, sent));
  },
};
