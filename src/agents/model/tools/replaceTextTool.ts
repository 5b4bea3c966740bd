import { Joi } from '../../../boundedJoi.ts';
import { invalidInputError } from '../../../errors.ts';
import {
  requirePage,
  slugSchema,
  argumentText,
  wordsSchema,
} from '../../shared/tools/toolArguments.ts';
import { replaceSiteText } from '../../shared/tools/editTexts.ts';
import type { ModelTool, ToolContext } from '../../shared/tools/toolContext.ts';
import { formatCount, listBriefly } from './pagedLines.ts';

interface ReplaceTextToolArguments {
  from: string;
  to: string;
  slug?: string;
}

export const replaceTextTool: ModelTool = {
  name: 'replace_text',
  description:
    'Replaces whole words in the visible texts, titles, descriptions and structured data of a page, or without `slug` of all pages. Addresses, URLs and classes stay as they are.',
  schema: Joi.object({
    from: wordsSchema,
    to: argumentText,
    slug: slugSchema.optional(),
  }),
  run: async (context: ToolContext, toolArguments: ReplaceTextToolArguments) => {
    const { from, to } = toolArguments;
    if (from === to)
      throw invalidInputError('from and to are the same: there is nothing to change');
    if (toolArguments.slug !== undefined) requirePage(context.site, toolArguments.slug);
    const replacements = await replaceSiteText(context, { ...toolArguments, notesAddresses: true });
    return replacementSentence(
      replacements.filter(({ count }) => count > 0),
      replacements.filter(({ isInAddress }) => isInAddress).map(({ slug }) => slug),
    );
  },
};

/** Says how often a text was replaced on which pages, and on which pages a URL still has it. */
export function replacementSentence(
  changedPages: { slug: string; count: number }[],
  slugsWithAddress: string[],
): string {
  const placeCount = changedPages.reduce((sum, { count }) => sum + count, 0);
  return [
    `${formatCount(changedPages.length, 'page')}, ${formatCount(placeCount, 'place')}`,
    ...(slugsWithAddress.length > 0
      ? [`an address still contains the text on ${listBriefly(slugsWithAddress)}`]
      : []),
    ...(changedPages.length > 1
      ? [listBriefly(changedPages.map(({ slug, count }) => `${slug} ${count}`))]
      : []),
  ].join('; ');
}
