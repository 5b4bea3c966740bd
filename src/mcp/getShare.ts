import { Joi } from '../joi.ts';
import { notFound } from '../errors.ts';
import { openPages } from '../tasks/shareLinks.ts';
import { answerOf, listOf, orNull, partOf, shareId, string } from './schemas.ts';
import { reads, type Tool } from './tool.ts';

export const getShare: Tool<{ shareId: string }> = {
  name: 'get_share',
  title: 'Read a share link',
  description: 'Reads the pages behind a share link for looking, with their previews.',
  hints: reads,
  input: Joi.object({ shareId }),
  output: answerOf({
    site: string("The site's name.").required(),
    expiresAt: string('ISO 8601, UTC.').required(),
    pages: listOf(
      partOf({
        slug: string('Its path.').required(),
        previewUrl: orNull('Where to look at it.').required(),
        live: Joi.boolean().required().description('Whether it is live like this.'),
      }),
      'The pages.',
    ).required(),
  }),
  async run({ caller, parts }, { shareId }) {
    const share = await parts.shares.find(shareId);
    if (share?.access !== 'view' || share.organizationId !== caller.organizationId)
      throw notFound('Share not found');
    caller.subject.taskId = share.taskId;
    const { site, expiresAt, pages } = await openPages(parts, share, () => null);
    return {
      site,
      expiresAt,
      pages: pages.map(({ slug, previewUrl, live }) => ({ slug, previewUrl, live })),
      next: 'Show the person the previews.',
    };
  },
};
