import { Joi } from '../../../joi.ts';
import { inLine } from '../../../text/text.ts';
import { invalidInput } from '../../../errors.ts';
import type { StyleListing } from '../../../sites/styles/listStyles.ts';
import type { StyleChange } from '../../../sites/styles/setStyle.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { colourLeft } from './colourLeft.ts';
import { counted } from './findOrSuggest.ts';
import { askSheets, fileAt, filesEnding } from './fileTools.ts';

const FILES = 20;
const PAGES = 60;
const LONGEST = 24_000;
const MOST_PROPERTIES = 80;
const MOST_COLOURS = 40;
const NAMED = 5;
const MOST_CLASSES = 400;
const part = Joi.string().max(500);

const readStyles: Tool = {
  name: 'read_styles',
  description:
    'Reads custom properties, colours with their counts, and the classes that there are; with `search` the rules with these words.',
  schema: Joi.object({ search: part }),
  run: async (context: ToolContext, { search }: { search?: string }) => {
    const { site } = context;
    const paths = filesEnding(context, '.css').slice(0, FILES);
    const { sheets, unreadable } = await askSheets(paths, (path) =>
      site.ask({ path, slug: path }, 'styles', search),
    );
    const lines = [
      ...sheets.flatMap(({ path, answer }) => describe(path, answer, search)),
      ...unreadable,
    ];
    if (search === undefined) {
      const classes = new Set<string>();
      for (const page of site.files().slice(0, PAGES))
        for (const name of await site.ask(page, 'classes')) classes.add(name);
      lines.push(`Classes of the pages: ${[...classes].slice(0, MOST_CLASSES).join(' ')}`);
    }
    const none =
      paths.length === 0
        ? 'The site has no style sheet of its own'
        : 'No rule has these words: without `search`, the classes and colours are named';
    const text = lines.map(inLine).join('\n') || none;
    return text.length > LONGEST
      ? `${text.slice(0, LONGEST)}\n… more: search for what you need`
      : text;
  },
};

function describe(
  path: string,
  { properties, colours, classes, rules }: StyleListing,
  search?: string,
): string[] {
  const inMedia = (media: string) => (media === '' ? '' : `@media ${media} `);
  if (search !== undefined)
    return rules.map(
      ({ media, selector, declarations }) =>
        `${path}: ${inMedia(media)}${selector} { ${declarations.join('; ')} }`,
    );
  const rest = properties.length - MOST_PROPERTIES;
  return [
    path,
    ...properties
      .slice(0, MOST_PROPERTIES)
      .map(
        ({ media, selector, name, value }) => `  ${inMedia(media)}${selector} ${name}: ${value}`,
      ),
    ...(rest > 0 ? [`  ${rest} more custom properties: search for "--" and a name`] : []),
    `  Colours: ${
      colours
        .slice(0, MOST_COLOURS)
        .map(([colour, count]) => `${colour} ×${count}`)
        .join(', ') || 'none'
    }`,
    `  Classes: ${classes.slice(0, MOST_CLASSES).join(' ')}`,
  ];
}

const setStyle: Tool = {
  name: 'set_style',
  description:
    'Changes or adds a declaration of a rule that read_styles shows; `media` is the query around the rule. No url(), no @import.',
  schema: Joi.object({
    file: part.required(),
    selector: part.required(),
    property: Joi.string().max(100).required(),
    value: Joi.string().max(2_000).required(),
    media: part,
  }),
  run: async (context: ToolContext, { file, ...change }: StyleChange & { file: string }) => {
    const path = fileAt(context, file);
    if (!path.endsWith('.css')) throw invalidInput(`${path} is no style sheet`);
    const page = { path, slug: path };
    const { source, says } = await context.site.ask(page, 'setStyle', change);
    await context.site.writeFile(path, source);
    return says;
  },
};

const replaceColour: Tool = {
  name: 'replace_colour',
  description:
    'Replaces a colour in all style sheets, however it is written; the dark scheme keeps its own. Names the files that keep it, such as pictures.',
  schema: Joi.object({
    from: Joi.string().max(100).required(),
    to: Joi.string().max(100).required(),
  }),
  run: async (context: ToolContext, { from, to }: { from: string; to: string }) => {
    const { sheets, unreadable } = await askSheets(filesEnding(context, '.css'), (path) =>
      context.site.ask({ path, slug: path }, 'replaceColour', from, to),
    );
    let count = 0;
    for (const { path, answer } of sheets) {
      if (answer.count > 0) await context.site.writeFile(path, answer.source);
      count += answer.count;
    }
    const dark = new Set(sheets.flatMap(({ answer }) => answer.dark));
    const left =
      unreadable.length > 0 ? `. Left as they are: ${unreadable.slice(0, NAMED).join('; ')}` : '';
    const kept =
      (dark.size > 0
        ? `; the dark scheme keeps ${[...dark].slice(0, MOST_COLOURS).join(', ')}`
        : '') + left;
    const still = await colourLeft(context, from);
    if (count === 0)
      return inLine(`No declaration has ${from}${kept}${still}; read_styles lists the colours`);
    return inLine(`${counted(count, 'declaration')}${kept}${still}`);
  },
};

export const styleTools: Tool[] = [readStyles, setStyle, replaceColour];
