import { invalidInputError } from '../../errors.ts';

/*
 * An entry of a data file is a page if a rule of the site's settings names the file. Its path is
 * that of the file with the entry's key: `src/_data/cities.json#berlin`. Only the module
 * `git/trees/dataFiles.ts` knows that no such file exists.
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

/** Files and folders of programs, and settings of generators. */
const programFile =
  /(^|\/)(?:\.|node_modules\/|package(?:-lock)?\.json$|tsconfig|[^/]*\.config\.|_config\.)/;

/** Whether a file belongs to a program by its name: `package.json`, `.github/x.yml`. */
export const isProgramFile = (path: string): boolean => programFile.test(path);

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
  `/${file.replace(/\.(?:json|ya?ml)$/i, '')}/${key}`;

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
