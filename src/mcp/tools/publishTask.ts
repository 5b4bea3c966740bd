import { Joi } from '../../boundedJoi.ts';
import { followUpBody } from '../../api/routes/tasks/tasks.schema.ts';
import { previewPublish, type PublishPreview } from '../../tasks/previewPublish.ts';
import { startPublishTask, findStartedPublish } from '../../tasks/publishTask.ts';
import { type ChangingArgs, followUpSubmission } from '../startingTool.ts';
import {
  confirmField,
  pickFields,
  idempotencyKey,
  presentStart,
  startedAnswer,
  taskId,
} from '../schemas.ts';
import { startHints, type AssistantTool } from '../tool.ts';

/** Maximum number of slugs that the question to the person names. */
const MOST_NAMED_SLUGS = 10;

type PublishTaskArgs = { taskId: string; title?: string } & ChangingArgs;

/** `publish_task`: starts a task that makes the pages of a task live, if a person agrees. */
export const publishTaskTool: AssistantTool<PublishTaskArgs> = {
  name: 'publish_task',
  title: 'Publish a task',
  description:
    'Starts a task that makes the pages of a completed task live, together with those of its base tasks. A person must agree.',
  hints: { ...startHints, destructiveHint: true, idempotentHint: true },
  input: Joi.object({
    taskId,
    ...pickFields(followUpBody, 'title'),
    confirm: confirmField,
    idempotencyKey,
  }),
  output: startedAnswer,
  limit: 'create',
  starts: true,
  isPublishing: () => true,
  async question(call, args) {
    const { caller, deps, jobOwner } = call;
    const { request, idempotency } = followUpSubmission(call, args, 'publish');
    if (await findStartedPublish(caller, deps, request, idempotency)) return null;
    const publishCheck = await previewPublish(caller, deps, request.taskId, jobOwner);
    if (publishCheck.unreadable) throw publishCheck.unreadable;
    return publishQuestion(publishCheck);
  },
  async run(call, args) {
    const { request, idempotency } = followUpSubmission(call, args, 'publish');
    return presentStart(await startPublishTask(call.caller, call.deps, request, idempotency));
  },
};

/**
 * Such as `Make 2 pages live: /a, /b? Other pages of base tasks that also go live: 1.` A page that
 * several tasks have changed is named once.
 */
function publishQuestion({ slugs, baseTasks, pushed }: PublishPreview): string {
  const namedSlugs = slugs.slice(0, MOST_NAMED_SLUGS).join(', ');
  const remainingCount = slugs.length - MOST_NAMED_SLUGS;
  const baseSlugs = new Set(baseTasks.flatMap((baseTask) => baseTask.slugs));
  const otherPageCount = baseSlugs.difference(new Set(slugs)).size;
  const pushedPageCount = pushed
    ? pushed.created.length + pushed.modified.length + pushed.deleted.length
    : 0;
  return [
    `Make ${slugs.length} ${slugs.length === 1 ? 'page' : 'pages'} live: ${namedSlugs}${remainingCount > 0 ? ` and ${remainingCount} more` : ''}?`,
    ...(otherPageCount > 0
      ? [`Other pages of base tasks that also go live: ${otherPageCount}.`]
      : []),
    ...(pushedPageCount > 0
      ? [`Pages that others have pushed and that also go live: ${pushedPageCount}.`]
      : []),
  ].join(' ');
}
