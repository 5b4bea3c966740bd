import type { TreeEntry } from '../git/repository.ts';

/**
 * A file by its name alone, and whether it is a file of its own: no symbolic link, no submodule.
 */
export interface FileName {
  path: string;
  isRegular: boolean;
}

/**
 * The names of a site's files as one text: a thread takes over one large text in a fraction of the
 * time of many small ones.
 */
export function fileNames(entries: Iterable<Pick<TreeEntry, 'path' | 'mode'>>): string {
  const names: string[] = [];
  for (const { path, mode } of entries) names.push((mode.startsWith('100') ? '+' : '-') + path);
  return names.join('\0');
}

/** The reverse of `fileNames`. */
export const readFileNames = (names: string): FileName[] =>
  names === ''
    ? []
    : names.split('\0').map((name) => ({ path: name.slice(1), isRegular: name.startsWith('+') }));
