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

/**
 * Finds the answer to a path. `/x` is the file `x`, else `x.html`, else a redirect to `/x/` if that
 * folder has an index page. `/x/` is `x/index.html`, else a redirect to `/x` if that is a page.
 * `/x.html` is the file itself.
 */
export function resolvePath(find: FindFile, { path, query }: RequestTarget): Resolution {
  const isFolder = path === '' || path.endsWith('/');
  const page = path.replace(/\/$/, '');
  const file = isFolder ? find(`${path}index.html`) : (find(path) ?? find(`${path}.html`));
  if (file) return { file };
  if (isFolder && page !== '' && find(`${page}.html`))
    return { redirect: `/${encodePath(page)}${query}` };
  if (!isFolder && find(`${path}/index.html`)) return { redirect: `/${encodePath(path)}/${query}` };
  return 'not found';
}

/**
 * The URL path at which a page's file is served without a redirect.
 * @param path the file's path, relative to the site's root
 * @returns undefined for a file that is not served
 */
export function urlPathOf(find: FindFile, path: string): string | undefined {
  const file = find(path);
  const short = /(^|\/)index\.html$/.test(path)
    ? path.slice(0, -'index.html'.length)
    : path.replace(/\.html$/, '');
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
  const bare = path.replace(/(^|\/)index\.html$/, '').replace(/\.html$/, '');
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
