import { Joi } from '../joi.ts';
import { presentExamples } from '../api/routes/sites.present.ts';
import { findSite } from '../tasks/start.ts';
import { answerOf, listOf, partOf, siteId, string, strings } from './schemas.ts';
import { reads, type Tool } from './tool.ts';

/** The pages that a text would change. */
export const changedPages = partOf({
  pagesCreated: strings('New pages.').required(),
  pagesModified: strings('Changed pages.').required(),
  pagesDeleted: strings('Deleted pages.').required(),
});

export const listExamples: Tool<{ siteId: string }> = {
  name: 'list_examples',
  title: 'List examples of instructions',
  description:
    'Lists texts for change_site that the built-in rules understand on this site, with the pages that each would change.',
  hints: { ...reads, openWorldHint: true },
  input: Joi.object({ siteId }),
  output: answerOf({
    siteId: string('The site.').required(),
    examples: listOf(
      partOf({ prompt: string('The text.').required(), changes: changedPages.required() }),
      'Each was tried.',
    ).required(),
  }),
  async run({ caller, parts, work }, { siteId }) {
    const site = await findSite(caller, parts, siteId);
    const { examples } = presentExamples(site.siteId, await parts.findExamples(site, work));
    return {
      siteId: site.siteId,
      examples,
      next: 'Put your own pages and texts into one, and give it to try_prompt.',
    };
  },
};
