import { normalizeText } from '../../../contract/normalizeText.ts';
import { invalidInputError } from '../../../errors.ts';
import { dateInName } from '../datedName.ts';
import { entrySlug, newEntryPath, readEntryPath } from '../../dataFiles/entryPaths.ts';
import type { PathRules } from '../format.ts';

/** Maximum length of a page's path. A slug in a request has at most 200 characters. */
const MAX_PATH_LENGTH = 400;
/** The endings of files in Markdown. */
export const markdownExtension = /\.(?:mdx?|markdown)$/i;
const indexFile = /(^|\/)_?index\.(?:mdx?|markdown)$/i;
/** `README.md`, `CHANGELOG.md`: documents for the people who work on the repository. */
const repositoryDocument = /(^|\/)(?:[A-Z][A-Z0-9_-]*|[Rr]eadme)\.[a-z]+$/;
/** Folders of generators, and of programs. */
const foreignFolder =
  /(^|\/)(?:\.[^/]*|node_modules|vendor|_(?:includes|layouts|data|site|sass|drafts))\/|^archetypes\//;
/** Parts of pages, such as `_note.mdx`. Hugo's `_index.md` is a page. */
const partialFile = /(^|\/)_(?!index\.)[^/]*$/;

const isMarkdownFile = (path: string) =>
  markdownExtension.test(path) &&
  ![repositoryDocument, foreignFolder, partialFile, /(^|\/)\./].some((rule) => rule.test(path));

/**
 * Rules between file names and slugs of Markdown files. They never read a page, so a file's path
 * says whether it is one: all are, except documents, parts of pages and files of programs. Entries
 * of data files are pages too: `src/_data/cities.json#berlin` → `/src/_data/cities/berlin`.
 */
export const markdownPaths: PathRules = {
  label: 'Markdown',

  handles: (path) =>
    path.length <= MAX_PATH_LENGTH && (readEntryPath(path) !== null || isMarkdownFile(path)),

  slugOf(path) {
    const entry = readEntryPath(path);
    const slug = entry
      ? entrySlug(entry)
      : `/${path.replace(indexFile, '').replace(markdownExtension, '')}`;
    return normalizeText(slug, 'NFC');
  },

  pathOf(slug, siblingPath) {
    const sibling = readEntryPath(siblingPath);
    if (sibling) return newEntryPath(slug, sibling.file);
    const name = slug.slice(1);
    const [ending = '.md'] = markdownExtension.exec(siblingPath) ?? [];
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
