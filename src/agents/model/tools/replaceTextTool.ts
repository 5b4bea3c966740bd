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
    const changedPages = replacements.filter(({ count }) => count > 0);
    const placeCount = changedPages.reduce((sum, { count }) => sum + count, 0);
    const slugsWithAddress = replacements
      .filter(({ isInAddress }) => isInAddress)
      .map(({ slug }) => slug);
    return [
      `${formatCount(changedPages.length, 'page')}, ${formatCount(placeCount, 'place')}`,
      ...(slugsWithAddress.length > 0
        ? [`left in an address on ${listBriefly(slugsWithAddress)}`]
        : []),
      ...(changedPages.length > 1
        ? [listBriefly(changedPages.map(({ slug, count }) => `${slug} ${count}`))]
        : []),
    ].join('; ');
  },
};
