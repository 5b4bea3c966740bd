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

export const listPagesTool: AssistantTool<SitePagesQuery & { siteId: string }> = {
  name: 'list_pages',
  title: 'List pages',
  description: "Lists a site's pages by slug, as they are on its production branch.",
  hints: { ...readHints, openWorldHint: true },
  input: Joi.object({ siteId, ...pickFields(sitePagesQuery, 'limit', 'cursor') }),
  output: toolAnswer({
    siteId: textField('The site.').required(),
    commit: textField('Of the production branch.').required(),
    pages: listField(
      openObject({
        slug: textField('Its path.').required(),
        title: textField('The slug, where it has none.').required(),
        template: Joi.boolean()
          .required()
          .description('Whether generate_pages can make pages like it.'),
        changedAt: nullableText('When its file changed last.'),
        taskId: nullableText('The task that did it, if one did.'),
      }),
      'By slug.',
    ).required(),
    nextCursor: nextCursorSchema,
  }),
  async run({ caller, parts, work }, query) {
    const { siteId, commit, pages, nextCursor } = await listPages(caller, parts, query, work);
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
      next: 'get_page shows the texts of a page. check_items tries new pages, change_site changes the site.',
    };
  },
};
