import { Joi } from '../../boundedJoi.ts';
import { notFoundError } from '../../errors.ts';
import { limitSchema } from '../../api/cursors.ts';
import { logShare } from '../../api/routes/sharing/shares.ts';
import { sharedPageCursor, sharedPagesQuery } from '../../api/routes/sharing/shares.schema.ts';
import { openSharedPages, type SharedPagesPart } from '../../tasks/shareLinks.ts';
import {
  toolAnswer,
  listField,
  nextCursorSchema,
  nullableText,
  openObject,
  pickFields,
  shareId,
  textField,
} from '../schemas.ts';
import { readHints, type AssistantTool } from '../tool.ts';

/** `get_share`: reads a view-only share link of the organization. Viewers may call it too. */
export const getShareTool: AssistantTool<{ shareId: string } & SharedPagesPart> = {
  name: 'get_share',
  title: 'Read a share link',
  description: 'Returns the pages of a view-only share link, with their previews.',
  hints: readHints,
  input: Joi.object({
    shareId,
    ...pickFields(sharedPagesQuery, 'cursor'),
    limit: limitSchema('pages', { usual: 50, most: 500 }).empty(null),
  }),
  output: toolAnswer({
    site: textField('The name of the site.').required(),
    expiresAt: textField('A time in ISO 8601, in UTC.').required(),
    total: Joi.number().integer().required().description('The number of all pages of the link.'),
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
    nextCursor: nextCursorSchema,
  }),
  async run({ caller, deps }, { shareId, ...part }) {
    const share = await deps.shares.find(shareId);
    if (share?.access !== 'view' || share.organizationId !== caller.organizationId)
      throw notFoundError('Share not found');
    logShare(caller.logContext, share);
    const { site, expiresAt, total, pages, next } = await openSharedPages(deps, share, {
      part,
      editUrlOf: () => null,
    });
    return {
      site,
      expiresAt,
      total,
      nextCursor: next === null ? null : sharedPageCursor.at(next),
      pages: pages.map(({ slug, previewUrl, live }) => ({ slug, previewUrl, live })),
      next: 'Show the person the previews.',
    };
  },
};
