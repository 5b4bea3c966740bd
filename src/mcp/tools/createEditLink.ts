import { Joi } from '../../boundedJoi.ts';
import { editLinkBody } from '../../api/routes/editing/editLink.schema.ts';
import { createTaskEditLink as create } from '../../tasks/editLink.ts';
import { knownTask } from '../startingTool.ts';
import { toolAnswer, pickFields, textField, taskId } from '../schemas.ts';
import { startHints, type AssistantTool } from '../tool.ts';

export const createEditLinkTool: AssistantTool<{ taskId: string; slug?: string }> = {
  name: 'create_edit_link',
  title: 'Let a person edit',
  description:
    "Makes a link by which a person edits a completed task's pages by hand, without an account, for ten minutes. A person with an account uses the page's editUrl.",
  hints: { ...startHints, openWorldHint: false },
  input: Joi.object({ taskId, ...pickFields(editLinkBody, 'slug') }),
  output: toolAnswer({
    url: textField('Give it only to the person.').required(),
    expiresAt: textField('ISO 8601, UTC.').required(),
  }),
  limit: 'create',
  async run(call, { taskId, slug }) {
    const request = { taskId: knownTask(call, taskId), slug };
    const { url, expiresAt } = await create(call.caller, call.parts, request);
    return {
      url,
      expiresAt: expiresAt.toISOString(),
      next: 'Give the person the link. get_diff shows what they changed.',
    };
  },
};
