import { Joi } from '../../boundedJoi.ts';
import { createShare } from '../../api/routes/sharing/shares.ts';
import { shareBody, type ShareBody } from '../../api/routes/sharing/shares.schema.ts';
import { requireTaskId } from '../startingTool.ts';
import { toolAnswer, pickFields, textField, taskId } from '../schemas.ts';
import { startHints, type AssistantTool } from '../tool.ts';

/**
 * `share_task`: creates a share link of a completed task, like POST /agent/tasks/{taskId}/shares.
 * `{ taskId: 'bg-…', access: 'view', days: 7 }` → `{ shareId, url, expiresAt, next }`
 */
export const shareTaskTool: AssistantTool<ShareBody & { taskId: string }> = {
  name: 'share_task',
  title: 'Share a task',
  description:
    'Creates a link with which people who have no account can see the pages of a completed task, or edit them by hand. Viewers of the organization see it in their list.',
  hints: { ...startHints, openWorldHint: false },
  input: Joi.object({ taskId, ...pickFields(shareBody, 'access', 'days') }),
  output: toolAnswer({
    shareId: textField('The id for get_share and end_share.').required(),
    url: textField('The link. No other answer contains it.').required(),
    expiresAt: textField('A time in ISO 8601, in UTC.').required(),
  }),
  limit: 'create',
  async run(call, { taskId, ...body }) {
    const share = await createShare(call.ctx, call.deps, requireTaskId(call, taskId), body);
    const { shareId, url, expiresAt } = share;
    return {
      shareId,
      url,
      expiresAt,
      next: 'Give the link to the person. Call end_share to revoke it.',
    };
  },
};
