import { Joi } from '../../boundedJoi.ts';
import { createShare } from '../../api/routes/sharing/shares.ts';
import { shareBody, type ShareBody } from '../../api/routes/sharing/shares.schema.ts';
import { knownTask } from '../startingTool.ts';
import { toolAnswer, pickFields, textField, taskId } from '../schemas.ts';
import { startHints, type AssistantTool } from '../tool.ts';

export const shareTaskTool: AssistantTool<ShareBody & { taskId: string }> = {
  name: 'share_task',
  title: 'Share a task',
  description:
    "Makes a link by which people without an account look at a completed task's pages, or edit them by hand. Viewers of the organization see it in their list.",
  hints: { ...startHints, openWorldHint: false },
  input: Joi.object({ taskId, ...pickFields(shareBody, 'access', 'days') }),
  output: toolAnswer({
    shareId: textField('For get_share and end_share.').required(),
    url: textField('The link. No other answer has it.').required(),
    expiresAt: textField('ISO 8601, UTC.').required(),
  }),
  limit: 'create',
  async run(call, { taskId, ...body }) {
    const share = await createShare(call.ctx, call.parts, knownTask(call, taskId), body);
    const { shareId, url, expiresAt } = share;
    return { shareId, url, expiresAt, next: 'Give the link to the person. end_share ends it.' };
  },
};
