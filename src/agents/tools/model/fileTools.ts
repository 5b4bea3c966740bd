import { Joi } from '../../../joi.ts';
import { invalidInput, notFound } from '../../../errors.ts';
import type { FileEdit } from '../../../sites/files/editFile.ts';
import { cut } from '../../../text/text.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { listed } from './listing.ts';

const NAMED = 10;
const LONGEST_NAME = 200;
const LONGEST = 20_000;
const editable = ['.css', '.json', '.txt', '.webmanifest'];

/**
 * The site's current files with such name endings, without symbolic links and files that are not
 * served.
 */
export const filesEnding = ({ site }: ToolContext, ...endings: string[]): string[] =>
  site
    .paths()
    .filter(
      (path) =>
        endings.some((ending) => path.endsWith(ending)) && isServed(path) && site.isRegular(path),
    );

const isServed = (path: string) =>
  !`/${path}`.includes('/.') && !`/${path}`.includes('/node_modules/');

/** A file's path without the slash that it may begin with. */
export const fromRoot = (path: string) => (path.startsWith('/') ? path.slice(1) : path);

/**
 * Checks a file's path, relative to the site's root.
 * @throws DomainError NOT_FOUND, INVALID_INPUT for anything but a regular file
 */
export function fileAt(context: ToolContext, given: string): string {
  const { site } = context;
  const path = fromRoot(given);
  if (!site.paths().includes(path)) {
    const there = filesEnding(context, ...editable)
      .slice(0, NAMED)
      .join(', ');
    throw notFound(
      `The site has no file "${cut(path, LONGEST_NAME)}"; there are: ${there || 'none'}`,
    );
  }
  if (!site.isRegular(path)) throw invalidInput(`${path} is a symbolic link: it can't be edited`);
  if (!isServed(path)) throw invalidInput(`${path} is a hidden file: it can't be edited`);
  return path;
}

export const editFile: Tool = {
  name: 'edit_file',
  description:
    'Replaces a text of a css, json, txt or webmanifest file. It must stand there once, or `all` are replaced. In css nothing may load from another site, and @import is refused.',
  schema: Joi.object({
    path: Joi.string().max(500).required(),
    find: Joi.string().max(LONGEST).required(),
    replace: Joi.string().allow('').max(LONGEST).required(),
    all: Joi.boolean(),
  }),
  run: async (context: ToolContext, { path, ...edit }: FileEdit & { path: string }) => {
    const file = fileAt(context, path);
    const { source, lines } = await context.site.query({ path: file, slug: file }, 'editFile', edit);
    await context.site.writeFile(file, source);
    return `Replaced in line${lines.length === 1 ? '' : 's'} ${listed(lines)} of ${file}`;
  },
};
