import { Joi } from '../../boundedJoi.ts';
import { publishTaskBody } from '../../api/routes/tasks/tasks.schema.ts';
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
import { type AssistantCall, startHints, type AssistantTool } from '../tool.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';

/** Maximum number of slugs that the question to the person names. */
const MOST_NAMED_SLUGS = 10;

type PublishTaskArgs = { taskId: string; title?: string; leaveOut?: string[] } & ChangingArgs;

/** `publish_task`: starts a task that makes the pages of a task live, if a person agrees. */
export const publishTaskTool: AssistantTool<PublishTaskArgs> = {
  name: 'publish_task',
  title: 'Publish a task',
  description:
    'Starts a task that makes the pages of a completed task live, together with those of its base tasks, except pages that are left out. A person must agree.',
  hints: { ...startHints, destructiveHint: true, idempotentHint: true },
  input: Joi.object({
    taskId,
    ...pickFields(publishTaskBody, 'title', 'leaveOut'),
    confirm: confirmField,
    idempotencyKey,
  }),
  output: startedAnswer,
  limit: 'create',
  starts: true,
  isPublishing: () => true,
  async question(call, args) {
    const { caller, deps, jobOwner } = call;
    const { request, idempotency } = publishSubmission(call, args);
    if (await findStartedPublish(caller, deps, request, idempotency)) return null;
    const publishCheck = await previewPublish(caller, deps, request, jobOwner);
    if (publishCheck.unreadable) throw publishCheck.unreadable;
    return publishQuestion(publishCheck);
  },
  async run(call, args) {
    const { request, idempotency } = publishSubmission(call, args);
    return presentStart(await startPublishTask(call.caller, call.deps, request, idempotency));
  },
};

function publishSubmission(call: Pick<AssistantCall, 'caller'>, args: PublishTaskArgs) {
  const { request, idempotency } = followUpSubmission(call, args, 'publish');
  return { request: { ...request, ...withoutUndefined({ leaveOut: args.leaveOut }) }, idempotency };
}

/**
 * Such as `Make 2 pages live: /a, /b? Left out: /c. Other pages of base tasks that also go live:
 * 1.` A page that several tasks have changed is named once.
 */
function publishQuestion({ slugs, leftOut, baseTasks, pushed }: PublishPreview): string {
  const baseSlugs = new Set(baseTasks.flatMap((baseTask) => baseTask.slugs));
  const otherPageCount = baseSlugs.difference(new Set(slugs)).size;
  const pushedPageCount = pushed
    ? pushed.created.length + pushed.modified.length + pushed.deleted.length
    : 0;
  return [
    `Make ${slugs.length} ${slugs.length === 1 ? 'page' : 'pages'} live: ${nameSlugs(slugs)}?`,
    ...(leftOut.length > 0 ? [`Left out: ${nameSlugs(leftOut)}.`] : []),
    ...(otherPageCount > 0
      ? [`Other pages of base tasks that also go live: ${otherPageCount}.`]
      : []),
    ...(pushedPageCount > 0
      ? [`Pages that others have pushed and that also go live: ${pushedPageCount}.`]
      : []),
  ].join(' ');
}

function nameSlugs(slugs: string[]): string {
  const remainingCount = slugs.length - MOST_NAMED_SLUGS;
  const moreWords = remainingCount > 0 ? ` and ${remainingCount} more` : '';
  return slugs.slice(0, MOST_NAMED_SLUGS).join(', ') + moreWords;
}
