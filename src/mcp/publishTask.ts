import { Joi } from '../joi.ts';
import type { PublishCheck } from '../contract/answers.ts';
import { onCode } from '../errors.ts';
import { presentCheck } from '../api/routes/goingLive.ts';
import { followUpBody } from '../api/routes/tasks.schema.ts';
import { checkPublish } from '../tasks/goingLive.ts';
import { publish } from '../tasks/publish.ts';
import { type Changing, knownTask, sentTo, TASKS } from './newTask.ts';
import { confirm, fieldsOf, idempotencyKey, presentStart, started, taskId } from './schemas.ts';
import { starts, type Tool } from './tool.ts';

/** Most slugs that a question names. */
const NAMED = 10;

export const publishTask: Tool<{ taskId: string; title?: string } & Changing> = {
  name: 'publish_task',
  title: 'Publish a task',
  description:
    "Starts a task that puts a completed task's pages live, and those of tasks that it builds on. A person has to agree.",
  hints: { ...starts, destructiveHint: true, idempotentHint: true },
  input: Joi.object({ taskId, ...fieldsOf(followUpBody, 'title'), confirm, idempotencyKey }),
  output: started,
  limit: 'create',
  starts: true,
  isPublishing: () => true,
  async question(call, { taskId, idempotencyKey }) {
    const { caller, parts, work } = call;
    const found = checkPublish(caller, parts, knownTask(call, taskId), work).then(presentCheck);
    // what was published with this key before is answered again
    return questionAbout(
      idempotencyKey ? await found.catch(onCode(['CONFLICT'], null)) : await found,
    );
  },
  async run(call, { taskId, title, idempotencyKey }) {
    const sent = sentTo(`${TASKS}/${knownTask(call, taskId)}/publish`, idempotencyKey);
    const request = { taskId, ...(title !== undefined && { title }) };
    return presentStart(await publish(call.caller, call.parts, request, sent));
  },
};

function questionAbout(check: PublishCheck | null): string | null {
  if (!check) return null;
  const { pages, tasks, pushed } = check;
  const named = pages.slugs.slice(0, NAMED).join(', ');
  const rest = pages.count - NAMED;
  const below = tasks.reduce((sum, task) => sum + task.pages.count, 0);
  const others = pushed ? pushed.created.count + pushed.modified.count + pushed.deleted.count : 0;
  return [
    `Put ${pages.count} ${pages.count === 1 ? 'page' : 'pages'} live: ${named}${rest > 0 ? ` and ${rest} more` : ''}?`,
    ...(below > 0 ? [`${below} of tasks below go live with it.`] : []),
    ...(others > 0 ? [`So do ${others} that others have pushed.`] : []),
  ].join(' ');
}
