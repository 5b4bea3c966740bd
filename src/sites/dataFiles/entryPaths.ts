import { invalidInputError } from '../../errors.ts';

/*
 * An entry of a data file is a page if a rule of the site's settings names the file. Its path is
 * that of the file with the entry's key: `src/_data/cities.json#berlin`. Only the module
 * `git/trees/dataFiles.ts` knows that no such file exists.
 *
 * A rule for `src/content/cities/*.json` makes each file of that folder one entry, whose key is the
 * name of the file: `src/content/cities/*.json#berlin` for `src/content/cities/berlin.json`.
 */

const separator = '#';
/** Longer keys, and keys with other characters, cannot be the last name of a slug. */
const entryKey = /^(?![.])[\p{L}\p{M}\p{N}\-_.~+@!$&'(),;=]{1,100}(?<![.])$/u;

/** The file and the key of an entry. */
export interface EntryLocation {
  file: string;
  key: string;
}

/** Whether a file may have entries that are pages. */
export const isDataFile = (path: string): boolean => /\.(?:json|ya?ml)$/i.test(path);

/** The language of a data file, or of the files that a pattern names. */
export const dataLanguage = (path: string): 'json' | 'yaml' =>
  /\.json$/i.test(path) ? 'json' : 'yaml';

/** Files and folders of programs, and settings of generators. */
const programFile =
  /(^|\/)(?:\.|node_modules\/|package(?:-lock)?\.json$|tsconfig|[^/]*\.config\.|_config\.)/;

/** Whether a file belongs to a program by its name: `package.json`, `.github/x.yml`. */
export const isProgramFile = (path: string): boolean => programFile.test(path);

/** Whether a path stands for the data files of a folder, each of which is one entry. */
export const isFilePattern = (path: string): boolean => /(?:^|\/)\*\.[a-z]+$/i.test(path);

/** The file of the entry with a key, by a pattern. */
export const fileByPattern = ({ file, key }: EntryLocation): string =>
  file.slice(0, file.lastIndexOf('*')) + key + file.slice(file.lastIndexOf('*') + 1);

/** The key of a file by a pattern; null for a file that the pattern does not name. */
export function keyByPattern(pattern: string, path: string): string | null {
  const position = pattern.lastIndexOf('*');
  const [start, end] = [pattern.slice(0, position), pattern.slice(position + 1)];
  if (!path.startsWith(start) || !path.endsWith(end)) return null;
  const key = path.slice(start.length, path.length - end.length);
  return isEntryKey(key) ? key : null;
}

/** Whether a key can be a part of a page's path. */
export const isEntryKey = (key: string): boolean => entryKey.test(key);

/** `cities.json` and `berlin` → `cities.json#berlin`. */
export const entryPath = ({ file, key }: EntryLocation): string => file + separator + key;

/** The file and key of an entry by its path; null for the path of a file. */
export function readEntryPath(path: string): EntryLocation | null {
  const position = path.lastIndexOf(separator);
  if (position < 0) return null;
  const [file, key] = [path.slice(0, position), path.slice(position + 1)];
  return isDataFile(file) && isEntryKey(key) ? { file, key } : null;
}

/** `{ file: 'src/_data/cities.json', key: 'berlin' }` → `/src/_data/cities/berlin`. */
export const entrySlug = ({ file, key }: EntryLocation): string =>
  `/${file.replace(/(?:(^|\/)\*)?\.(?:json|ya?ml)$/i, '')}/${key}`.replace(/^\/{2}/, '/');

/**
 * The path of a new entry in the data file of its template.
 * @throws DomainError INVALID_INPUT for a slug that is not below the file's
 */
export function newEntryPath(slug: string, file: string): string {
  const folder = entrySlug({ file, key: '' });
  const key = slug.startsWith(folder) ? slug.slice(folder.length) : '';
  if (isEntryKey(key)) return entryPath({ file, key });
  throw invalidInputError(
    `${slug.slice(0, 200)}: new entries of ${file} have slugs such as ${folder}name`,
  );
}
