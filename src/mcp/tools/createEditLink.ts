import { Joi } from '../../boundedJoi.ts';
import { editLinkBody } from '../../api/routes/editing/editLink.schema.ts';
import { recordChange } from '../../api/recordChange.ts';
import { invalidInputError } from '../../errors.ts';
import { createBatchEditLink, createTaskEditLink } from '../../tasks/editLink.ts';
import { createSiteEditLink } from '../../tasks/editSitePage.ts';
import { requireTaskId } from '../startingTool.ts';
import { toolAnswer, pickFields, siteId, textField, taskId } from '../schemas.ts';
import { type AssistantCall, startHints, type AssistantTool } from '../tool.ts';
import { batchId, requireBatchId } from './batches/batchFields.ts';

/** One of the three ids. */
interface EditLinkArgs {
  taskId?: string;
  batchId?: string;
  siteId?: string;
  slug?: string;
}

/** `create_edit_link`: creates a link that opens a page of a task, batch or site in the editor. */
export const createEditLinkTool: AssistantTool<EditLinkArgs> = {
  name: 'create_edit_link',
  title: 'Create an editing link',
  description:
    'Creates a link with which a person without an account can edit pages of a completed task, a batch or a site. Name one of the three. The first edit of a page of a site starts a task. The link can be opened for ten minutes. People who have an account can use the editUrl of a page instead.',
  hints: { ...startHints, openWorldHint: false },
  input: Joi.object({
    taskId: taskId.optional().empty(null),
    batchId: batchId.optional().empty(null),
    siteId: siteId.optional().empty(null),
    ...pickFields(editLinkBody, 'slug'),
  }).xor('taskId', 'batchId', 'siteId'),
  output: toolAnswer({
    url: textField('The link. Give it only to the person.').required(),
    expiresAt: textField('A time in ISO 8601, in UTC.').required(),
  }),
  limit: 'create',
  async run(call, args) {
    const { url, expiresAt, subject } = await createLink(call, args);
    await recordChange(call.ctx, call.deps, 'edit-link.create', subject);
    return {
      url,
      expiresAt: expiresAt.toISOString(),
      next:
        args.siteId === undefined
          ? 'Give the link to the person. Call get_diff or get_batch to see what they changed.'
          : 'Give the link to the person. Call list_tasks to see the task of their first edit.',
    };
  },
};

/** @returns the link, and what the audit log calls the edited pages */
async function createLink(call: AssistantCall, { slug, ...ids }: EditLinkArgs) {
  const { caller, deps, jobOwner } = call;
  if (ids.taskId !== undefined) {
    const request = { taskId: requireTaskId(call, ids.taskId), slug };
    return { ...(await createTaskEditLink(caller, deps, request)), subject: request.taskId };
  }
  if (slug === undefined)
    throw invalidInputError('slug is required, because it says which page of the batch or site');
  if (ids.batchId !== undefined) {
    const request = { batchId: requireBatchId(call, ids.batchId), slug };
    return { ...(await createBatchEditLink(caller, deps, request)), subject: request.batchId };
  }
  const request = { siteId: ids.siteId ?? '', slug };
  const link = await createSiteEditLink(caller, deps, request, jobOwner.signal);
  return { ...link, subject: `${request.siteId} (${slug})` };
}
