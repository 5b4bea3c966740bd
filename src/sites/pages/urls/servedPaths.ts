import type { TreeEntry } from '../../git/repository.ts';
import { markdownExtension, pagePaths } from '../../formats/paths.ts';
import type { ServedFileFinder } from './servedFiles.ts';

/*
 * Which file answers which URL path. Previews, checks and the embedded host all use these rules:
 * for `about.html`, `/about` and `/about.html` are answered, and `/about/` redirects to `/about`.
 */

/** The path and query of a request target. `path` is decoded and relative to the site's root. */
export interface RequestTarget {
  path: string;
  /** '' or the raw query, beginning with `?`. */
  query: string;
}

/** How a path is answered: with a file, with a redirect to another URL path, or not at all. */
export type PathResolution = { file: TreeEntry } | { redirect: string } | 'not found';

/** Control characters, backslashes, and dot segments, in a decoded path. */
const forbiddenCharacters = /[\u0000-\u001f\u007f\\]|(^|\/)\.{1,2}(\/|$)/;

/**
 * Parses a request target, decoding its percent escapes once.
 * @param target as in the request line, also in absolute form (RFC 9112, section 3.2)
 * @returns null for a target that no well-meaning client sends: broken escapes, escaped slashes,
 *   `..`, control characters
 */
export function readTarget(target: string): RequestTarget | null {
  const originForm = target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
  const [path] = originForm.split('?', 1) as [string];
  const query = originForm.slice(path.length);
  if (!path.startsWith('/') || path.includes('#') || /%(2f|5c)/i.test(path)) return null;
  try {
    const decoded = decodeURIComponent(path.slice(1));
    return forbiddenCharacters.test(decoded) ? null : { path: decoded, query };
  } catch {
    return null;
  }
}

/** The endings of pages' files, the preferred first. */
const htmlEndings = ['.html', '.htm', '.HTML', '.HTM'];
const markdownEndings = ['.md', '.mdx', '.markdown'];
const endings = [...htmlEndings, ...markdownEndings];
const indexes = [
  ...['index', 'INDEX'].flatMap((name) => htmlEndings.map((ending) => name + ending)),
  ...['index', '_index'].flatMap((name) => markdownEndings.map((ending) => name + ending)),
];
/** Markdown files that are not pages are answered only under their own names. */
const isMarkdown = (path: string) => markdownExtension.test(path);

const findPage = (findFile: ServedFileFinder, path: string) => firstOf(findFile, endings, path);
const findIndex = (findFile: ServedFileFinder, folder: string) =>
  firstOf(findFile, indexes, folder);

function firstOf(
  findFile: ServedFileFinder,
  names: string[],
  start: string,
): TreeEntry | undefined {
  for (const name of names) {
    const file = findFile(start + name);
    if (file && (!isMarkdown(file.path) || pagePaths.handles(file.path))) return file;
  }
  return undefined;
}

/**
 * Finds the answer to a path. For `/x`, it tries the file `x`, then `x.html`, then a redirect to
 * `/x/` if that folder has an index page. For `/x/`, it tries `x/index.html`, then a redirect to
 * `/x` if that is a page. `/x.html` is the file itself. Endings may also be `.htm`, or in capitals,
 * or `.md`, `.mdx` and `.markdown` for pages in Markdown.
 */
export function resolvePath(
  findFile: ServedFileFinder,
  { path, query }: RequestTarget,
): PathResolution {
  const isFolder = path === '' || path.endsWith('/');
  const page = path.replace(/\/$/, '');
  const file = isFolder ? findIndex(findFile, path) : (findFile(path) ?? findPage(findFile, path));
  if (file) return { file };
  if (isFolder && page !== '' && findPage(findFile, page))
    return { redirect: `/${encodePath(page)}${query}` };
  if (!isFolder && findIndex(findFile, `${path}/`))
    return { redirect: `/${encodePath(path)}/${query}` };
  return 'not found';
}

const pageFile = /\.(?:html?|mdx?|markdown)$/i;
const indexFile = /(^|\/)(?:index\.html?|_?index\.(?:mdx?|markdown))$/i;

/**
 * The URL path at which a page's file is served without a redirect.
 * @param path the file's path, relative to the site's root
 * @returns undefined for a file that is not served
 */
export function urlPathOf(findFile: ServedFileFinder, path: string): string | undefined {
  const file = findFile(path);
  const shortPath = indexFile.test(path)
    ? path.replace(indexFile, '$1')
    : path.replace(pageFile, '');
  const isAnswered = (candidate: string) => {
    const resolution = resolvePath(findFile, { path: candidate, query: '' });
    return resolution !== 'not found' && 'file' in resolution && resolution.file === file;
  };
  const servedPath = file && [shortPath, path].find(isAnswered);
  return servedPath === undefined ? undefined : `/${encodePath(servedPath)}`;
}

/**
 * All URL paths that lead to a page's file, directly or by a redirect: with and without ending and
 * slash.
 * @param path the file's path, relative to the site's root
 */
export function listUrlPaths(findFile: ServedFileFinder, path: string): string[] {
  const file = findFile(path);
  const barePath = path.replace(indexFile, '').replace(pageFile, '');
  const candidates = barePath === '' ? ['', path] : [barePath, `${barePath}/`, path];
  return [...new Set(candidates)]
    .filter((candidate) => file !== undefined && fileAt(findFile, candidate) === file)
    .map((candidate) => `/${encodePath(candidate)}`);
}

/** The file to which a decoded path leads, directly or by one redirect. */
export function fileAt(findFile: ServedFileFinder, path: string): TreeEntry | undefined {
  const resolution = resolvePath(findFile, { path, query: '' });
  if (resolution === 'not found') return undefined;
  if ('file' in resolution) return resolution.file;
  const nextResolution = resolvePath(findFile, readTarget(resolution.redirect)!);
  return nextResolution !== 'not found' && 'file' in nextResolution
    ? nextResolution.file
    : undefined;
}

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/');
