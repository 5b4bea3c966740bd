import { finalError } from '../../../errors.ts';
import type { ToolContext } from '../tool.ts';
import { filesEnding } from './fileTools.ts';

const MOST_FILES = 2_000;
const NAMED = 20;
const kinds: [what: string, endings: string[]][] = [
  ['picture', ['.svg']],
  ['style sheet', ['.css']],
  ['page', ['.html', '.htm']],
  ['other file', ['.js', '.mjs', '.json', '.webmanifest', '.xml', '.txt']],
];

/**
 * The files that have a colour, in any notation: `; #1f4d43 still stands in 2 pictures: logo.svg,
 * icon.svg; in 1 page: index.html`. '' for none.
 */
export async function colourLeft(context: ToolContext, colour: string): Promise<string> {
  let unread = 0;
  let searched = 0;
  const found: string[] = [];
  for (const [what, endings] of kinds) {
    const paths: string[] = [];
    for (const path of filesEnding(context, ...endings)) {
      const has = searched++ < MOST_FILES ? await hasColour(context, path, colour) : undefined;
      if (has === undefined) unread++;
      else if (has) paths.push(path);
    }
    if (paths.length > 0) found.push(filesOf(what, paths));
  }
  const left = found.length === 0 ? '' : `; ${colour} still stands in ${found.join('; in ')}`;
  return unread === 0 ? left : `${left}; ${unread} files were not searched`;
}

/** Whether a file has the colour; undefined for a file that can't be read. */
async function hasColour({ site, texts }: ToolContext, path: string, colour: string) {
  try {
    return await texts.hasColour(await site.source(path), colour);
  } catch (error) {
    finalError(error);
    return undefined;
  }
}

function filesOf(what: string, paths: string[]): string {
  const rest = paths.length - NAMED;
  const named = paths.slice(0, NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
  return `${paths.length} ${what}${paths.length === 1 ? '' : 's'}: ${named}`;
}
