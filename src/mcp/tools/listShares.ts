import { Joi } from '../../boundedJoi.ts';
import { hasRole } from '../../contract/roles.ts';
import { shareListQuery, type ShareListQuery } from '../../api/routes/sharing/shares.schema.ts';
import { timeCursor } from '../../api/timeCursors.ts';
import { listShareLinks } from '../../tasks/shareLinks.ts';
import {
  toolAnswer,
  pickFields,
  listField,
  nextCursorSchema,
  nullableText,
  openObject,
  textField,
} from '../schemas.ts';
import { readHints, type AssistantTool } from '../tool.ts';

type ListSharesArgs = Pick<ShareListQuery, 'taskId' | 'batchId' | 'access' | 'limit' | 'cursor'>;

/** `list_shares`: lists share links, like GET /shares. Viewers may call it too. */
export const listSharesTool: AssistantTool<ListSharesArgs> = {
  name: 'list_shares',
  title: 'List share links',
  description:
    "Lists the organization's valid share links, newest first. A viewer sees only view-only links.",
  hints: readHints,
  input: Joi.object(pickFields(shareListQuery, 'taskId', 'batchId', 'access', 'limit', 'cursor')),
  output: toolAnswer({
    shares: listField(
      openObject({
        shareId: textField('The id for get_share.').required(),
        access: Joi.valid('view', 'comment', 'edit').required(),
        title: nullableText('The title of the task or batch.').required(),
        site: nullableText('The name of the site.').required(),
        sharedBy: nullableText('The person who shared it.').required(),
        createdAt: textField('A time in ISO 8601, in UTC.').required(),
        expiresAt: textField('A time in ISO 8601, in UTC.').required(),
      }),
      'The links, newest first.',
    ).required(),
    nextCursor: nextCursorSchema,
  }),
  async run({ caller, deps }, { cursor: after, ...filters }) {
    const { organizationId, role } = caller;
    const access = hasRole(role, 'member') ? filters.access : 'view';
    const listRequest = { ...filters, access, after };
    const { shares, next } = await listShareLinks(deps, organizationId, listRequest);
    return {
      shares: shares.map(({ share, createdBy, title, site }) => ({
        shareId: share.shareId,
        access: share.access,
        title,
        site: site?.name ?? null,
        sharedBy: createdBy?.name ?? null,
        createdAt: share.createdAt,
        expiresAt: share.expiresAt,
      })),
      nextCursor: next && timeCursor.at(next),
      next: 'Call get_share to see the pages of a link.',
    };
  },
};
