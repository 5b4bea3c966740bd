import { Joi } from '../joi.ts';
import type { PublishCheck } from '../contract/answers.ts';
import { presentCheck } from '../api/routes/goingLive.ts';
import { followUpBody } from '../api/routes/tasks.schema.ts';
import { checkPublish } from '../tasks/goingLive.ts';
import { publish, publishedBefore } from '../tasks/publish.ts';
import { type Changing, followUpOf } from './newTask.ts';
import { confirm, fieldsOf, idempotencyKey, presentStart, started, taskId } from './schemas.ts';
import { starts, type Tool } from './tool.ts';

/** Most slugs that a question names. */
const NAMED = 10;

type Args = { taskId: string; title?: string } & Changing;

export const publishTask: Tool<Args> = {
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
  async question(call, args) {
    const { caller, parts, work } = call;
    const { request, sent } = followUpOf(call, args, 'publish');
    if (await publishedBefore(caller, parts, request, sent)) return null;
    const found = await checkPublish(caller, parts, request.taskId, work);
    if (found.unreadable) throw found.unreadable;
    return questionAbout(presentCheck(found));
  },
  async run(call, args) {
    const { request, sent } = followUpOf(call, args, 'publish');
    return presentStart(await publish(call.caller, call.parts, request, sent));
  },
};

function questionAbout(check: PublishCheck): string {
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
