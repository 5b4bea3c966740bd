import { Joi } from '../../boundedJoi.ts';
import { listSites } from '../../api/routes/sites/sites.ts';
import { siteListQuery, type SiteListQuery } from '../../api/routes/sites/sites.schema.ts';
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

/** `list_sites`: lists the sites of the organization, like GET /sites. */
export const listSitesTool: AssistantTool<SiteListQuery> = {
  name: 'list_sites',
  title: 'List sites',
  description: "Lists the organization's sites, sorted by name.",
  hints: readHints,
  input: Joi.object(pickFields(siteListQuery, 'limit', 'cursor')),
  output: toolAnswer({
    sites: listField(
      openObject({
        siteId: textField('The id for the other tools.').required(),
        name: textField('The name of the site.').required(),
        liveUrl: nullableText('The live site. Null until something is live.').required(),
        problem: nullableText(
          'The latest problem with the repository. Null if there is none.',
        ).required(),
      }),
      'The sites, sorted by name.',
    ).required(),
    nextCursor: nextCursorSchema,
  }),
  async run({ caller, deps }, query) {
    const { sites, nextCursor } = await listSites(caller, deps, query);
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
          ? 'The organization has no site. An admin can add one in the console.'
          : 'Call list_pages with a siteId.',
    };
  },
};
