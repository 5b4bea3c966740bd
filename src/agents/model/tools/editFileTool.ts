import { Joi } from '../../../boundedJoi.ts';
import { invalidInputError, notFoundError } from '../../../errors.ts';
import type { FileEdit } from '../../../sites/files/editFile.ts';
import { truncateText } from '../../../text/text.ts';
import type { ModelTool, ToolContext } from '../../shared/tools/toolContext.ts';
import { listBriefly } from './pagedLines.ts';

const MAX_NAMED_FILES = 10;
const MAX_NAME_LENGTH = 200;
const MAX_TEXT_LENGTH = 20_000;
const editableEndings = ['.css', '.json', '.txt', '.webmanifest'];

/** What the tool answers. */
export const fileTexts = {
  replaced: (lines: number[], file: string) =>
    `Replaced in line${lines.length === 1 ? '' : 's'} ${listBriefly(lines)} of ${file}`,
  missing: (path: string, editableFiles: string[]) =>
    `The site has no file "${truncateText(path, MAX_NAME_LENGTH)}"; there are: ${editableFiles.slice(0, MAX_NAMED_FILES).join(', ') || 'none'}`,
  symbolicLink: (path: string) => `${path} is a symbolic link: it can't be edited`,
  hidden: (path: string) => `${path} is a hidden file: it can't be edited`,
};

/**
 * The site's current files whose names have one of these endings, without symbolic links and files
 * that are not served.
 */
export const listFilesEnding = ({ site }: ToolContext, ...endings: string[]): string[] =>
  site
    .paths()
    .filter(
      (path) =>
        endings.some((ending) => path.endsWith(ending)) &&
        isPublicPath(path) &&
        site.isRegular(path),
    );

const isPublicPath = (path: string) =>
  !`/${path}`.includes('/.') && !`/${path}`.includes('/node_modules/');

/** A file's path without the slash that it may begin with. */
export const removeLeadingSlash = (path: string) => (path.startsWith('/') ? path.slice(1) : path);

/**
 * Checks the path of a file that a model wants to edit, relative to the site's root.
 * @returns the path without a leading slash
 * @throws DomainError NOT_FOUND for a missing file; INVALID_INPUT for a symbolic link or a hidden
 *   file
 */
export function findEditableFile(context: ToolContext, requestedPath: string): string {
  const { site } = context;
  const path = removeLeadingSlash(requestedPath);
  if (!site.paths().includes(path))
    throw notFoundError(fileTexts.missing(path, listFilesEnding(context, ...editableEndings)));
  if (!site.isRegular(path)) throw invalidInputError(fileTexts.symbolicLink(path));
  if (!isPublicPath(path)) throw invalidInputError(fileTexts.hidden(path));
  return path;
}

export const editFileTool: ModelTool = {
  name: 'edit_file',
  description:
    'Replaces a text of a css, json, txt or webmanifest file. It must stand there once, or `all` are replaced. In css nothing may load from another site, and @import is refused.',
  schema: Joi.object({
    path: Joi.string().max(500).required(),
    find: Joi.string().max(MAX_TEXT_LENGTH).required(),
    replace: Joi.string().allow('').max(MAX_TEXT_LENGTH).required(),
    all: Joi.boolean(),
  }),
  run: async (context: ToolContext, { path, ...edit }: FileEdit & { path: string }) => {
    const file = findEditableFile(context, path);
    const { source, lines } = await context.site.query(
      { path: file, slug: file },
      'editFile',
      edit,
    );
    await context.site.writeFile(file, source);
    return fileTexts.replaced(lines, file);
  },
};
