import { normalizeText } from '../../../contract/normalizeText.ts';
import { invalidInputError } from '../../../errors.ts';
import { dateInName } from '../datedName.ts';
import type { PathRules } from '../format.ts';

/** Maximum length of a page's path. A slug in a request has at most 200 characters. */
const MAX_PATH_LENGTH = 400;
const extension = /\.mdx?$/i;
const mdxExtension = /\.mdx$/i;
const indexFile = /(^|\/)_?index\.mdx?$/i;
/** The folders in which generators look for pages. `.md` files elsewhere are documents. */
export const contentFolders = ['content', 'pages', 'posts', '_posts', 'blog'];
const contentFolder = new RegExp(`(?:^|/)(?:${contentFolders.join('|')})/`);
/** `README.md`, `CHANGELOG.md`: documents for the people who work on the repository. */
const repositoryDocument = /(^|\/)[A-Z][A-Z0-9_-]*\.mdx?$/;
/** Folders of generators, and of programs. */
const foreignFolder =
  /(^|\/)(?:\.[^/]*|node_modules|_(?:includes|layouts|data|site|sass|drafts))\//;
/** Parts of pages, such as `_note.mdx`. Hugo's `_index.md` is a page. */
const partialFile = /(^|\/)_(?!index\.)[^/]*$/;

/**
 * Rules between file names and slugs of Markdown files. They never read a page, so a file's path
 * says whether it is one: `.mdx` files are pages, and `.md` files in a content folder are.
 */
export const markdownPaths: PathRules = {
  label: 'Markdown',

  handles: (path) =>
    path.length <= MAX_PATH_LENGTH &&
    (mdxExtension.test(path) || (extension.test(path) && contentFolder.test(path))) &&
    ![repositoryDocument, foreignFolder, partialFile, /(^|\/)\./].some((rule) => rule.test(path)),

  slugOf: (path) => normalizeText(`/${path.replace(indexFile, '').replace(extension, '')}`, 'NFC'),

  pathOf(slug, siblingPath) {
    const name = slug.slice(1);
    const [ending = '.md'] = extension.exec(siblingPath) ?? [];
    const siblingDate = dateInName(markdownPaths.slugOf(siblingPath));
    if (siblingDate !== undefined && dateInName(slug) === undefined)
      throw invalidInputError(
        `${slug.slice(0, 200)}: the names of pages in this folder begin with a date, such as ${slug.slice(0, slug.lastIndexOf('/') + 1)}${siblingDate}-${slug.slice(slug.lastIndexOf('/') + 1)}`,
      );
    if (name === '') return `index${ending}`;
    const isFolder = indexFile.test(siblingPath) && siblingPath.includes('/');
    return isFolder ? `${name}/index${ending}` : `${name}${ending}`;
  },
};
