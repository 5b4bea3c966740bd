import { Joi } from '../joi.ts';
import { listSites as read } from '../api/routes/sites.ts';
import { siteListQuery, type SiteListQuery } from '../api/routes/sites.schema.ts';
import { answerOf, fieldsOf, listOf, nextCursor, orNull, partOf, string } from './schemas.ts';
import { reads, type Tool } from './tool.ts';

export const listSites: Tool<SiteListQuery> = {
  name: 'list_sites',
  title: 'List sites',
  description: "Lists the organization's sites by name.",
  hints: reads,
  input: Joi.object(fieldsOf(siteListQuery, 'limit', 'cursor')),
  output: answerOf({
    sites: listOf(
      partOf({
        siteId: string('For the other tools.').required(),
        name: string('As it was registered.').required(),
        liveUrl: orNull('The live site; null where nothing is live yet.').required(),
        problem: orNull('What is wrong with its repository; null: nothing.').required(),
      }),
      'By name.',
    ).required(),
    nextCursor,
  }),
  async run({ caller, parts }, query) {
    const { sites, nextCursor } = await read(caller, parts, query);
    return {
      sites: sites.map(({ siteId, name, liveUrl, problem }) => ({
        siteId,
        name,
        liveUrl,
        problem,
      })),
      nextCursor,
      next:
        sites.length === 0
          ? 'The organization has no site: an admin adds one in the console.'
          : 'Call list_pages with a siteId.',
    };
  },
};
