import type { TreeEntry } from '../../git/repository.ts';

/** A file's path, and whether it is a regular file: no symbolic link, no submodule. */
export interface SiteFileName {
  path: string;
  isRegular: boolean;
}

/**
 * Joins the names of a site's files into one text, `+index.html\0-link.html` with `+` for regular
 * files. Posting one large text to a thread takes a fraction of the time of many small ones.
 */
export function packFileNames(entries: Iterable<Pick<TreeEntry, 'path' | 'mode'>>): string {
  const names: string[] = [];
  for (const { path, mode } of entries) names.push((mode.startsWith('100') ? '+' : '-') + path);
  return names.join('\0');
}

/** The reverse of `packFileNames`. */
export const unpackFileNames = (names: string): SiteFileName[] =>
  names === ''
    ? []
    : names.split('\0').map((name) => ({ path: name.slice(1), isRegular: name.startsWith('+') }));
