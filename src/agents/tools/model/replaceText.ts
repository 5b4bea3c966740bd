import { Joi } from '../../../joi.ts';
import { invalidInput } from '../../../errors.ts';
import { pageAt, slug, text, words } from '../arguments.ts';
import { replaceText as replace } from '../editing.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { counted, listed } from './listing.ts';

interface ReplaceText {
  from: string;
  to: string;
  slug?: string;
}

export const replaceText: Tool = {
  name: 'replace_text',
  description:
    'Replaces whole words in the visible texts, titles, descriptions and structured data of a page, or without `slug` of all pages. Addresses, URLs and classes stay as they are.',
  schema: Joi.object({
    from: words,
    to: text,
    slug: slug.optional(),
  }),
  run: async (context: ToolContext, args: ReplaceText) => {
    const { from, to } = args;
    if (from === to) throw invalidInput('from and to are the same: there is nothing to change');
    if (args.slug !== undefined) pageAt(context.site, args.slug);
    const found = await replace(context, { ...args, addresses: true });
    const changed = found.filter(({ count }) => count > 0);
    const places = changed.reduce((sum, { count }) => sum + count, 0);
    const left = found.filter(({ isInAddress }) => isInAddress).map(({ slug }) => slug);
    return [
      `${counted(changed.length, 'page')}, ${counted(places, 'place')}`,
      ...(left.length > 0 ? [`left in an address on ${listed(left)}`] : []),
      ...(changed.length > 1 ? [listed(changed.map(({ slug, count }) => `${slug} ${count}`))] : []),
    ].join('; ');
  },
};
