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

type ListSharesArgs = Pick<ShareListQuery, 'taskId' | 'access' | 'limit' | 'cursor'>;

export const listSharesTool: AssistantTool<ListSharesArgs> = {
  name: 'list_shares',
  title: 'List share links',
  description:
    "Lists the organization's share links in force, the newest first. A viewer sees those for looking.",
  hints: readHints,
  input: Joi.object(pickFields(shareListQuery, 'taskId', 'access', 'limit', 'cursor')),
  output: toolAnswer({
    shares: listField(
      openObject({
        shareId: textField('For get_share.').required(),
        access: Joi.valid('view', 'edit').required(),
        title: nullableText("The task's title.").required(),
        site: nullableText("The site's name.").required(),
        sharedBy: nullableText('The person who shared it.').required(),
        createdAt: textField('ISO 8601, UTC.').required(),
        expiresAt: textField('ISO 8601, UTC.').required(),
      }),
      'The newest first.',
    ).required(),
    nextCursor: nextCursorSchema,
  }),
  async run({ caller, parts }, { cursor: after, ...filters }) {
    const { organizationId, role } = caller;
    const access = hasRole(role, 'member') ? filters.access : 'view';
    const listRequest = { ...filters, access, after };
    const { shares, next } = await listShareLinks(parts, organizationId, listRequest);
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
      next: 'get_share has the pages of a link.',
    };
  },
};
