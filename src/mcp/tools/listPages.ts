import { Joi } from '../../boundedJoi.ts';
import { listPages } from '../../api/routes/sites/sites.ts';
import { sitePagesQuery, type SitePagesQuery } from '../../api/routes/sites/sites.schema.ts';
import {
  toolAnswer,
  pickFields,
  listField,
  nextCursorSchema,
  nullableText,
  openObject,
  siteId,
  textField,
} from '../schemas.ts';
import { readHints, type AssistantTool } from '../tool.ts';

/** `list_pages`: lists the pages of a site, like GET /sites/{siteId}/pages. */
export const listPagesTool: AssistantTool<SitePagesQuery & { siteId: string }> = {
  name: 'list_pages',
  title: 'List pages',
  description: 'Lists the pages on the production branch of a site, sorted by slug.',
  hints: { ...readHints, openWorldHint: true },
  input: Joi.object({ siteId, ...pickFields(sitePagesQuery, 'limit', 'cursor') }),
  output: toolAnswer({
    siteId: textField('The site.').required(),
    commit: textField('The head of the production branch.').required(),
    pages: listField(
      openObject({
        slug: textField('The path of the page.').required(),
        title: textField('The title of the page, or its slug if it has no title.').required(),
        template: Joi.boolean()
          .required()
          .description('Whether the page can be a template of generate_pages.'),
        changedAt: nullableText('When the file last changed.'),
        taskId: nullableText('The task that made the last change. Null if no task did.'),
      }),
      'The pages, sorted by slug.',
    ).required(),
    nextCursor: nextCursorSchema,
  }),
  async run({ caller, deps, jobOwner }, query) {
    const { siteId, commit, pages, nextCursor } = await listPages(caller, deps, query, jobOwner);
    return {
      siteId,
      commit,
      pages: pages.map(({ slug, title, template, changedAt, taskId }) => ({
        slug,
        title,
        template,
        changedAt,
        taskId,
      })),
      nextCursor,
      next: 'Call get_page to read the texts of a page, check_items to check new pages, or change_site to change the site.',
    };
  },
};
