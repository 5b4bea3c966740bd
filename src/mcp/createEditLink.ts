import { Joi } from '../joi.ts';
import { editLinkBody } from '../api/routes/editLink.schema.ts';
import { createEditLink as create } from '../tasks/editLink.ts';
import { knownTask } from './newTask.ts';
import { answerOf, fieldsOf, string, taskId } from './schemas.ts';
import { starts, type Tool } from './tool.ts';

export const createEditLink: Tool<{ taskId: string; slug?: string }> = {
  name: 'create_edit_link',
  title: 'Let a person edit',
  description:
    "Makes a link by which a person edits a completed task's pages by hand, without an account, for ten minutes. A person with an account uses the page's editUrl.",
  hints: { ...starts, openWorldHint: false },
  input: Joi.object({ taskId, ...fieldsOf(editLinkBody, 'slug') }),
  output: answerOf({
    url: string('Give it only to the person.').required(),
    expiresAt: string('ISO 8601, UTC.').required(),
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
