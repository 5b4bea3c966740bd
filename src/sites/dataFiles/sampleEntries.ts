import type { PageSource } from '../formats/format.ts';
import type { TextSlot } from '../formats/pageParts.ts';
import { entryPath, isFilePattern, keyByPattern } from './entryPaths.ts';
import { splitDataFile } from './entrySources.ts';

/** The first entries of a data file as pages, and how many it has in all. */
export interface EntrySamples {
  count: number;
  samples: PageSource[];
}

const MOST_SAMPLES = 10;
/** An entry has prose if one of its texts has as many words. */
const PROSE_WORDS = 5;

/**
 * The first entries of a data file, or of the files that a pattern names, if at least two of them
 * have prose, as pages have. The entries of menus and lists of tags have none.
 * @param readSlots reads the texts of a page
 * @returns null for other files
 * @throws DomainError PAGE_UNREADABLE, LIMIT_EXCEEDED
 */
export function sampleEntries(
  { path: file, files }: { path: string; files: PageSource[] },
  readSlots: (page: PageSource) => TextSlot[],
): EntrySamples | null {
  const keyOf = (path: string, key: string) =>
    isFilePattern(file) ? keyByPattern(file, path)! : key;
  const entries = files.flatMap(({ path, source }) =>
    splitDataFile({ path: file, source }).entries.map((entry) => ({
      ...entry,
      key: keyOf(path, entry.key),
    })),
  );
  const samples = entries
    .slice(0, MOST_SAMPLES)
    .map(({ key, source }) => ({ path: entryPath({ file, key }), source }));
  const hasProse = (page: PageSource) =>
    readSlots(page).some(({ text }) => text.split(/\s+/).length >= PROSE_WORDS);
  return samples.filter(hasProse).length >= 2 ? { count: entries.length, samples } : null;
}
