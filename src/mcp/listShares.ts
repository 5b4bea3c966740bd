import { Joi } from '../joi.ts';
import { hasRole } from '../contract/roles.ts';
import { shareListQuery, type ShareListQuery } from '../api/routes/shares.schema.ts';
import { timeCursor } from '../api/timeCursors.ts';
import { listShared } from '../tasks/shareLinks.ts';
import { answerOf, fieldsOf, listOf, nextCursor, orNull, partOf, string } from './schemas.ts';
import { reads, type Tool } from './tool.ts';

type Args = Pick<ShareListQuery, 'taskId' | 'access' | 'limit' | 'cursor'>;

export const listShares: Tool<Args> = {
  name: 'list_shares',
  title: 'List share links',
  description:
    "Lists the organization's share links in force, the newest first. A viewer sees those for looking.",
  hints: reads,
  input: Joi.object(fieldsOf(shareListQuery, 'taskId', 'access', 'limit', 'cursor')),
  output: answerOf({
    shares: listOf(
      partOf({
        shareId: string('For get_share.').required(),
        access: Joi.valid('view', 'edit').required(),
        title: orNull("The task's title.").required(),
        site: orNull("The site's name.").required(),
        sharedBy: orNull('The person who shared it.').required(),
        createdAt: string('ISO 8601, UTC.').required(),
        expiresAt: string('ISO 8601, UTC.').required(),
      }),
      'The newest first.',
    ).required(),
    nextCursor,
  }),
  async run({ caller, parts }, { cursor: after, ...filters }) {
    const { organizationId, role } = caller;
    const access = hasRole(role, 'member') ? filters.access : 'view';
    const part = { ...filters, access, after };
    const { shares, next } = await listShared(parts, organizationId, part);
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
