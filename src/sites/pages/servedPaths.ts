import type { TreeEntry } from '../git/repository.ts';
import type { FindFile } from './servedFiles.ts';

/** The path and query of a request target. `path` is decoded and relative to the site's root. */
export interface RequestTarget {
  path: string;
  /** '' or the raw query, beginning with `?`. */
  query: string;
}

export type Resolution = { file: TreeEntry } | { redirect: string } | 'not found';

/** Control characters, backslashes, and dot segments, in a decoded path. */
const refused = /[\u0000-\u001f\u007f\\]|(^|\/)\.{1,2}(\/|$)/;

/**
 * Parses a request target, decoding its percent escapes once.
 * @param target as in the request line, also in absolute form (RFC 9112, section 3.2)
 * @returns null for a target that no well-meaning client sends: broken escapes, escaped slashes,
 *   `..`, control characters
 */
export function readTarget(target: string): RequestTarget | null {
  const origin = target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
  const [path] = origin.split('?', 1) as [string];
  const query = origin.slice(path.length);
  if (!path.startsWith('/') || path.includes('#') || /%(2f|5c)/i.test(path)) return null;
  try {
    const decoded = decodeURIComponent(path.slice(1));
    return refused.test(decoded) ? null : { path: decoded, query };
  } catch {
    return null;
  }
}

/** The endings of pages' files, the preferred first. */
const endings = ['.html', '.htm', '.HTML', '.HTM'];
const indexes = ['index', 'INDEX'].flatMap((name) => endings.map((ending) => name + ending));

const findPage = (find: FindFile, path: string) => firstOf(find, endings, path);
const findIndex = (find: FindFile, folder: string) => firstOf(find, indexes, folder);

function firstOf(find: FindFile, names: string[], start: string): TreeEntry | undefined {
  for (const name of names) {
    const file = find(start + name);
    if (file) return file;
  }
  return undefined;
}

/**
 * Finds the answer to a path. `/x` is the file `x`, else `x.html`, else a redirect to `/x/` if that
 * folder has an index page. `/x/` is `x/index.html`, else a redirect to `/x` if that is a page.
 * `/x.html` is the file itself. Pages may also end in `.htm`, or in capitals.
 */
export function resolvePath(find: FindFile, { path, query }: RequestTarget): Resolution {
  const isFolder = path === '' || path.endsWith('/');
  const page = path.replace(/\/$/, '');
  const file = isFolder ? findIndex(find, path) : (find(path) ?? findPage(find, path));
  if (file) return { file };
  if (isFolder && page !== '' && findPage(find, page))
    return { redirect: `/${encodePath(page)}${query}` };
  if (!isFolder && findIndex(find, `${path}/`))
    return { redirect: `/${encodePath(path)}/${query}` };
  return 'not found';
}

const pageFile = /\.html?$/i;
const indexFile = /(^|\/)index\.html?$/i;

/**
 * The URL path at which a page's file is served without a redirect.
 * @param path the file's path, relative to the site's root
 * @returns undefined for a file that is not served
 */
export function urlPathOf(find: FindFile, path: string): string | undefined {
  const file = find(path);
  const short = indexFile.test(path) ? path.replace(indexFile, '$1') : path.replace(pageFile, '');
  const isAnswered = (candidate: string) => {
    const found = resolvePath(find, { path: candidate, query: '' });
    return found !== 'not found' && 'file' in found && found.file === file;
  };
  const answered = file && [short, path].find(isAnswered);
  return answered === undefined ? undefined : `/${encodePath(answered)}`;
}

/**
 * All URL paths that lead to a page's file, directly or by a redirect: with and without ending and
 * slash.
 * @param path the file's path, relative to the site's root
 */
export function addressesOf(find: FindFile, path: string): string[] {
  const file = find(path);
  const bare = path.replace(indexFile, '').replace(pageFile, '');
  const candidates = bare === '' ? ['', path] : [bare, `${bare}/`, path];
  return [...new Set(candidates)]
    .filter((candidate) => file !== undefined && fileAt(find, candidate) === file)
    .map((candidate) => `/${encodePath(candidate)}`);
}

/** The file to which a decoded path leads. */
export function fileAt(find: FindFile, path: string): TreeEntry | undefined {
  const found = resolvePath(find, { path, query: '' });
  if (found === 'not found') return undefined;
  if ('file' in found) return found.file;
  const next = resolvePath(find, readTarget(found.redirect)!);
  return next !== 'not found' && 'file' in next ? next.file : undefined;
}

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/');
