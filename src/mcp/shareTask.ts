import { Joi } from '../joi.ts';
import { createShare } from '../api/routes/shares.ts';
import { shareBody, type ShareBody } from '../api/routes/shares.schema.ts';
import { knownTask } from './newTask.ts';
import { answerOf, fieldsOf, string, taskId } from './schemas.ts';
import { starts, type Tool } from './tool.ts';

export const shareTask: Tool<ShareBody & { taskId: string }> = {
  name: 'share_task',
  title: 'Share a task',
  description:
    "Makes a link by which people without an account look at a completed task's pages, or edit them by hand. Viewers of the organization see it in their list.",
  hints: { ...starts, openWorldHint: false },
  input: Joi.object({ taskId, ...fieldsOf(shareBody, 'access', 'days') }),
  output: answerOf({
    shareId: string('For get_share and end_share.').required(),
    url: string('The link. No other answer has it.').required(),
    expiresAt: string('ISO 8601, UTC.').required(),
  }),
  limit: 'create',
  async run(call, { taskId, ...body }) {
    const share = await createShare(call.ctx, call.parts, knownTask(call, taskId), body);
    const { shareId, url, expiresAt } = share;
    return { shareId, url, expiresAt, next: 'Give the link to the person. end_share ends it.' };
  },
};
