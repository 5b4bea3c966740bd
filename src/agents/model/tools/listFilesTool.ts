import { Joi } from '../../../boundedJoi.ts';
import { removeInvisible } from '../../../contract/text/removeInvisible.ts';
import { limits } from '../../../contract/task.ts';
import { notFoundError } from '../../../errors.ts';
import { quoteText } from '../../../text/text.ts';
import { createFileFinder } from '../../../sites/pages/urls/servedFiles.ts';
import type { ModelTool, ToolContext } from '../../shared/tools/toolContext.ts';
import { removeLeadingSlash } from './editFileTool.ts';
import { listBriefly, createPagedLines } from './pagedLines.ts';

/** Most characters of a list. */
const MAX_LIST_LENGTH = 24_000;

const pathSchema = Joi.string().max(limits.pathBytes);

/** What the tool answers if it lists no file. */
export const fileListTexts = {
  onlyPages: () => 'The site has no files but its pages',
  missingFile: (path: string) => `The site has no file ${quoteText(path, 200)}`,
  emptyFolder: (folder: string, folders: string[]) =>
    `The site has no files in ${quoteText(folder, 200)}; folders with files: ${listBriefly(folders)}`,
};

export const listFilesTool: ModelTool = {
  name: 'list_files',
  description: 'Lists the files that are not pages: size and path.',
  schema: Joi.object({
    folder: pathSchema,
    from: pathSchema,
  }),
  run: (context: ToolContext, { folder = '', from }: { folder?: string; from?: string }) => {
    const files = listVisibleFiles(context);
    const folderFiles = selectFolderFiles(files, folder);
    if (folderFiles.length === 0) return Promise.resolve(fileListTexts.onlyPages());
    const firstIndex = from === undefined ? 0 : folderFiles.findIndex(createNameTest(from));
    if (firstIndex === -1) throw notFoundError(fileListTexts.missingFile(from!));
    const lines = folderFiles.map(
      (file) => `${formatSize(context.site.bytes(file))} ${formatPath(file)}`,
    );
    return Promise.resolve(
      createPagedLines(lines, firstIndex, {
        longest: MAX_LIST_LENGTH,
        nameAt: (index) => formatPath(folderFiles[index]!),
      }),
    );
  },
};

/** The paths of the files that visitors may see, without pages and symbolic links. */
function listVisibleFiles({ site }: ToolContext): string[] {
  const pages = new Set(site.files().map((page) => page.path));
  const paths = site.paths().filter((path) => site.isRegular(path));
  const findServedFile = createFileFinder({
    entries: new Map(paths.map((path) => [path, { path, id: '', mode: '100644', size: 0 }])),
  });
  return paths.filter((path) => !pages.has(path) && findServedFile(path));
}

/** The files in a folder. Throws NOT_FOUND, with the names of the folders, if it has none. */
function selectFolderFiles(files: string[], folder: string): string[] {
  const relativeFolder = removeLeadingSlash(folder);
  const folderName = relativeFolder.endsWith('/') ? relativeFolder.slice(0, -1) : relativeFolder;
  const folderFiles =
    folderName === '' ? files : files.filter((path) => path.startsWith(`${folderName}/`));
  if (folderFiles.length > 0 || folderName === '') return folderFiles;
  const folders = new Set(files.map((path) => path.slice(0, path.lastIndexOf('/') + 1)));
  const folderNames = [...folders].sort().map(formatPath);
  throw notFoundError(fileListTexts.emptyFolder(folder, folderNames));
}

/**
 * A path from the site's root. If it has characters that hide or break lines, it is JSON in ASCII.
 */
function formatPath(path: string): string {
  const rootedPath = `/${path}`;
  if (rootedPath === removeInvisible(rootedPath) && !/[\n\t]/.test(rootedPath)) return rootedPath;
  return JSON.stringify(rootedPath).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const createNameTest = (name: string) => (path: string) =>
  `/${path}` === name || (name.startsWith('"') && formatPath(path) === name);

function formatSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${Number(size.toPrecision(2))} ${unit}`;
}
