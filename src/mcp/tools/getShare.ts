import { Joi } from '../../boundedJoi.ts';
import { notFoundError } from '../../errors.ts';
import { openSharedPages } from '../../tasks/shareLinks.ts';
import { toolAnswer, listField, nullableText, openObject, shareId, textField } from '../schemas.ts';
import { readHints, type AssistantTool } from '../tool.ts';

/** `get_share`: reads a view-only share link of the organization. Viewers may call it too. */
export const getShareTool: AssistantTool<{ shareId: string }> = {
  name: 'get_share',
  title: 'Read a share link',
  description: 'Returns the pages of a view-only share link, with their previews.',
  hints: readHints,
  input: Joi.object({ shareId }),
  output: toolAnswer({
    site: textField('The name of the site.').required(),
    expiresAt: textField('A time in ISO 8601, in UTC.').required(),
    pages: listField(
      openObject({
        slug: textField('The path of the page.').required(),
        previewUrl: nullableText('The preview of the page.').required(),
        live: Joi.boolean()
          .required()
          .description('Whether the page is live as the preview shows it.'),
      }),
      'The pages.',
    ).required(),
  }),
  async run({ caller, deps }, { shareId }) {
    const share = await deps.shares.find(shareId);
    if (share?.access !== 'view' || share.organizationId !== caller.organizationId)
      throw notFoundError('Share not found');
    caller.logContext.taskId = share.taskId;
    const { site, expiresAt, pages } = await openSharedPages(deps, share, () => null);
    return {
      site,
      expiresAt,
      pages: pages.map(({ slug, previewUrl, live }) => ({ slug, previewUrl, live })),
      next: 'Show the person the previews.',
    };
  },
};
