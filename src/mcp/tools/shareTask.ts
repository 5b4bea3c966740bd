import { Joi } from '../../boundedJoi.ts';
import { createShare } from '../../api/routes/sharing/shares.ts';
import { shareBody, type ShareBody } from '../../api/routes/sharing/shares.schema.ts';
import { requireTaskId } from '../startingTool.ts';
import { toolAnswer, pickFields, textField, taskId } from '../schemas.ts';
import { batchId, requireBatchId } from './batches/batchFields.ts';
import { startHints, type AssistantTool } from '../tool.ts';

/** One of the two. */
interface SharedIds {
  taskId?: string;
  batchId?: string;
}

/**
 * `share_task`: creates a share link of a completed task or of a batch, like
 * POST /agent/tasks/{taskId}/shares and POST /agent/batches/{batchId}/shares.
 * `{ taskId: 'bg-…', access: 'view', days: 7 }` → `{ shareId, url, expiresAt, next }`
 */
export const shareTaskTool: AssistantTool<ShareBody & SharedIds> = {
  name: 'share_task',
  title: 'Share a task or batch',
  description:
    'Creates a link with which people who have no account can see the pages of a completed task or of a batch, or edit them by hand. Name one of the two. Viewers of the organization see it in their list.',
  hints: { ...startHints, openWorldHint: false },
  input: Joi.object({
    taskId: taskId.optional().empty(null),
    batchId: batchId.optional().empty(null),
    ...pickFields(shareBody, 'access', 'days'),
  }).xor('taskId', 'batchId'),
  output: toolAnswer({
    shareId: textField('The id for get_share and end_share.').required(),
    url: textField('The link. No other answer contains it.').required(),
    expiresAt: textField('A time in ISO 8601, in UTC.').required(),
  }),
  limit: 'create',
  async run(call, { taskId: sharedTaskId, batchId: sharedBatchId, ...body }) {
    const shared =
      sharedBatchId === undefined
        ? { taskId: requireTaskId(call, sharedTaskId ?? '') }
        : { batchId: requireBatchId(call, sharedBatchId) };
    const share = await createShare(call.ctx, call.deps, shared, body);
    const { shareId, url, expiresAt } = share;
    return {
      shareId,
      url,
      expiresAt,
      next: 'Give the link to the person. Call end_share to revoke it.',
    };
  },
};
