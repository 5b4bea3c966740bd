import { Joi } from '../../boundedJoi.ts';
import { notFoundError } from '../../errors.ts';
import { openSharedPages } from '../../tasks/shareLinks.ts';
import { toolAnswer, listField, nullableText, openObject, shareId, textField } from '../schemas.ts';
import { readHints, type AssistantTool } from '../tool.ts';

export const getShareTool: AssistantTool<{ shareId: string }> = {
  name: 'get_share',
  title: 'Read a share link',
  description: 'Reads the pages behind a share link for looking, with their previews.',
  hints: readHints,
  input: Joi.object({ shareId }),
  output: toolAnswer({
    site: textField("The site's name.").required(),
    expiresAt: textField('ISO 8601, UTC.').required(),
    pages: listField(
      openObject({
        slug: textField('Its path.').required(),
        previewUrl: nullableText('Where to look at it.').required(),
        live: Joi.boolean().required().description('Whether it is live like this.'),
      }),
      'The pages.',
    ).required(),
  }),
  async run({ caller, parts }, { shareId }) {
    const share = await parts.shares.find(shareId);
    if (share?.access !== 'view' || share.organizationId !== caller.organizationId)
      throw notFoundError('Share not found');
    caller.subject.taskId = share.taskId;
    const { site, expiresAt, pages } = await openSharedPages(parts, share, () => null);
    return {
      site,
      expiresAt,
      pages: pages.map(({ slug, previewUrl, live }) => ({ slug, previewUrl, live })),
      next: 'Show the person the previews.',
    };
  },
};
