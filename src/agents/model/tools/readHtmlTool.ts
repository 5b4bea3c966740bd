import { Joi } from '../../../boundedJoi.ts';
import type { SourceView } from '../../shared/markup/readSourceLines.ts';
import { requirePage, slugSchema } from '../../shared/tools/toolArguments.ts';
import type { ModelTool, ToolContext } from '../../shared/tools/toolContext.ts';

export const readHtmlTool: ModelTool = {
  name: 'read_html',
  description:
    'Reads the HTML or Markdown of a page with line numbers: all of it, the `lines` [first, last], or what is `around` a text. Long drawings and data are cut, and say so.',
  schema: Joi.object({
    slug: slugSchema,
    lines: Joi.array().items(Joi.number().integer().min(1)).length(2),
    around: Joi.string().max(1_000),
  }).oxor('lines', 'around'),
  run: async (context: ToolContext, { slug, ...view }: SourceView & { slug: string }) => {
    const { site, texts } = context;
    const page = requirePage(site, slug);
    return texts.readSource(await site.source(page.path), view);
  },
};
