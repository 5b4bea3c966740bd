import { Joi } from '../../../joi.ts';
import { visible } from '../../../contract/visible.ts';
import { limits } from '../../../contract/task.ts';
import { notFound } from '../../../errors.ts';
import { quoted } from '../../../text/text.ts';
import { servedFiles } from '../../../sites/pages/servedFiles.ts';
import type { Tool, ToolContext } from '../tool.ts';
import { fromRoot } from './fileTools.ts';
import { listed, pagedLines } from './listing.ts';

/** Most characters of a list. */
const LONGEST = 24_000;

const path = Joi.string().max(limits.pathBytes);

export const listFiles: Tool = {
  name: 'list_files',
  description: 'Lists the files that are no pages: size and path.',
  schema: Joi.object({
    folder: path,
    from: path,
  }),
  run: (context: ToolContext, { folder = '', from }: { folder?: string; from?: string }) => {
    const files = filesOf(context);
    const own = filesIn(files, folder);
    if (own.length === 0) return Promise.resolve('The site has no files but its pages');
    const first = from === undefined ? 0 : own.findIndex(isNamed(from));
    if (first === -1) throw notFound(`The site has no file ${quoted(from!, 200)}`);
    const lines = own.map((file) => `${sizeOf(context.site.bytes(file))} ${nameOf(file)}`);
    return Promise.resolve(
      pagedLines(lines, first, { longest: LONGEST, nameAt: (index) => nameOf(own[index]!) }),
    );
  },
};

/** The paths of the files that visitors may see, without pages and symbolic links. */
function filesOf({ site }: ToolContext): string[] {
  const pages = new Set(site.files().map((page) => page.path));
  const paths = site.paths().filter((path) => site.isRegular(path));
  const find = servedFiles({
    entries: new Map(paths.map((path) => [path, { path, id: '', mode: '100644', size: 0 }])),
  });
  return paths.filter((path) => !pages.has(path) && find(path));
}

/** The files in a folder. Throws NOT_FOUND that lists the folders. */
function filesIn(files: string[], folder: string): string[] {
  const begun = fromRoot(folder);
  const name = begun.endsWith('/') ? begun.slice(0, -1) : begun;
  const found = name === '' ? files : files.filter((path) => path.startsWith(`${name}/`));
  if (found.length > 0 || name === '') return found;
  const folders = new Set(files.map((path) => path.slice(0, path.lastIndexOf('/') + 1)));
  const names = [...folders].sort().map(nameOf);
  throw notFound(
    `The site has no files in ${quoted(folder, 200)}; folders with files: ${listed(names)}`,
  );
}

/** A path from the site's root: as JSON in ASCII if it has characters that hide or break lines. */
function nameOf(path: string): string {
  const name = `/${path}`;
  if (name === visible(name) && !/[\n\t]/.test(name)) return name;
  return JSON.stringify(name).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const isNamed = (name: string) => (path: string) =>
  `/${path}` === name || (name.startsWith('"') && nameOf(path) === name);

function sizeOf(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${Number(size.toPrecision(2))} ${unit}`;
}
