import { Joi } from '../../boundedJoi.ts';
import { editLinkBody } from '../../api/routes/editing/editLink.schema.ts';
import { recordChange } from '../../api/recordChange.ts';
import { createTaskEditLink as create } from '../../tasks/editLink.ts';
import { requireTaskId } from '../startingTool.ts';
import { toolAnswer, pickFields, textField, taskId } from '../schemas.ts';
import { startHints, type AssistantTool } from '../tool.ts';

/** `create_edit_link`: creates a link that opens the pages of a task in the editor. */
export const createEditLinkTool: AssistantTool<{ taskId: string; slug?: string }> = {
  name: 'create_edit_link',
  title: 'Create an editing link',
  description:
    'Creates a link with which a person can edit the pages of a completed task by hand, without an account. It can be opened for ten minutes. People who have an account can use the editUrl of a page instead.',
  hints: { ...startHints, openWorldHint: false },
  input: Joi.object({ taskId, ...pickFields(editLinkBody, 'slug') }),
  output: toolAnswer({
    url: textField('The link. Give it only to the person.').required(),
    expiresAt: textField('A time in ISO 8601, in UTC.').required(),
  }),
  limit: 'create',
  async run(call, { taskId, slug }) {
    const request = { taskId: requireTaskId(call, taskId), slug };
    const { url, expiresAt } = await create(call.caller, call.deps, request);
    await recordChange(call.ctx, call.deps, 'edit-link.create', request.taskId);
    return {
      url,
      expiresAt: expiresAt.toISOString(),
      next: 'Give the link to the person. Call get_diff to see what they changed.',
    };
  },
};
