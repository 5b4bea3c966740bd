import { Joi } from '../joi.ts';
import { listPages as read } from '../api/routes/sites.ts';
import { sitePagesQuery, type SitePagesQuery } from '../api/routes/sites.schema.ts';
import {
  answerOf,
  fieldsOf,
  listOf,
  nextCursor,
  orNull,
  partOf,
  siteId,
  string,
} from './schemas.ts';
import { reads, type Tool } from './tool.ts';

export const listPages: Tool<SitePagesQuery & { siteId: string }> = {
  name: 'list_pages',
  title: 'List pages',
  description: "Lists a site's pages by slug, as they are on its production branch.",
  hints: { ...reads, openWorldHint: true },
  input: Joi.object({ siteId, ...fieldsOf(sitePagesQuery, 'limit', 'cursor') }),
  output: answerOf({
    siteId: string('The site.').required(),
    commit: string('Of the production branch.').required(),
    pages: listOf(
      partOf({
        slug: string('Its path.').required(),
        title: string('The slug, where it has none.').required(),
        template: Joi.boolean()
          .required()
          .description('Whether generate_pages can make pages like it.'),
        changedAt: orNull('When its file changed last.'),
        taskId: orNull('The task that did it, if one did.'),
      }),
      'By slug.',
    ).required(),
    nextCursor,
  }),
  async run({ caller, parts, work }, query) {
    const { siteId, commit, pages, nextCursor } = await read(caller, parts, query, work);
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
