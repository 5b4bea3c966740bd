import type { FrontMatter } from '../formats/frontMatter.ts';
import { isFilePattern, readEntryPath } from './entryPaths.ts';

/** The keys that name the entries of a list. If several do, the first one that most have. */
export const identityKeys = ['slug', 'id', 'permalink', 'url'];

/** The name that a value gives an entry: `/cities/berlin/` → `berlin`. */
export function entryNameOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const names = String(value).split('/').filter(Boolean);
  return names.at(-1)?.replace(/\.html?$/i, '') ?? null;
}

/** An entry as a page, with its values. */
interface StatedEntry {
  path: string;
  frontMatter: Pick<FrontMatter, 'values'> | null;
}

/**
 * Compares an entry with its former version, or with its template. If a value is its name, it must
 * be so afterwards: otherwise the entry would be another page, or none. An entry does not know
 * whether its file names it by this value, by another one, or by a key around it. So the first
 * value that is the name counts, and a commit checks the whole file.
 * @returns the key of that value and the name, if the value is missing or another one
 */
export function findLostName(
  before: StatedEntry,
  after: StatedEntry,
): { key: string; name: string } | null {
  const [oldEntry, entry] = [readEntryPath(before.path), readEntryPath(after.path)];
  if (!oldEntry || !entry || isFilePattern(entry.file)) return null;
  const nameIn = ({ frontMatter }: StatedEntry, key: string) =>
    entryNameOf(
      frontMatter?.values.find(({ path }) => path.length === 1 && path[0] === key)?.value,
    );
  const key = identityKeys.find((name) => nameIn(before, name) === oldEntry.key);
  return key === undefined || nameIn(after, key) === entry.key ? null : { key, name: entry.key };
}
