import { createHash } from 'node:crypto';
import { DomainError, hasErrorCode } from '../../../errors.ts';
import {
  dataLanguage,
  entryPath,
  fileByPattern,
  isFilePattern,
  keyByPattern,
  readEntryPath,
} from '../../dataFiles/entryPaths.ts';
import { writeObject } from '../clones/looseObject.ts';
import type { CloneStore } from '../clones/cloneStore.ts';
import type { SiteClone } from '../siteClone.ts';
import type { SiteTree, TreeEntry } from './siteTree.ts';

/*
 * Entries of data files as pages. Where a tree is read, a data file that a rule of the site names
 * is followed by its entries (`addDataEntries`). Where a commit is written, changes of entries
 * become a change of their file (`spliceEntries`). Between the two, an entry is a file like all
 * others, with an id of its own: tasks, merges and comparisons see that one entry has changed.
 *
 *   src/_data/cities.json             parts: the two below
 *   src/_data/cities.json#berlin      text: '{ "slug": "berlin", … }'
 *   src/_data/cities.json#lisbon      text: '{ "slug": "lisbon", … }'
 */

/** A changed file of a site, or entry of a data file. If `id` is null, it was deleted. */
export interface ChangedEntry extends Omit<TreeEntry, 'id'> {
  id: string | null;
  /** The path of the entry that a new entry follows. */
  after?: string;
}

/** Files with more bytes have no entries that are pages. */
const MAX_BYTES = 2_000_000;

/** A commit's files, with the entries of its data files behind each of them. */
export async function addDataEntries(
  clone: SiteClone,
  files: Map<string, TreeEntry>,
  signal?: AbortSignal,
): Promise<Map<string, TreeEntry>> {
  const changedFiles = new Map(files);
  for (const path of clone.dataFiles.paths)
    for (const file of filesAt(files, path))
      if (file.mode.startsWith('100'))
        changedFiles.set(file.path, await splitFile(clone, { path, file }, signal));
  return withParts(changedFiles);
}

/** The file at a path, or the files that a pattern names. */
const filesAt = (files: ReadonlyMap<string, TreeEntry>, path: string): TreeEntry[] =>
  isFilePattern(path)
    ? [...files.values()].filter((file) => keyByPattern(path, file.path) !== null)
    : [files.get(path)].filter((file) => file !== undefined);

/** The files of a tree, without the entries of data files. */
export const onlyFiles = (entries: SiteTree['entries']): Map<string, TreeEntry> =>
  new Map([...entries].filter(([, { text }]) => text === undefined));

/** Files with the entries of each data file behind it. */
export const withParts = (files: Map<string, TreeEntry>): Map<string, TreeEntry> =>
  files.values().some(({ parts }) => parts !== undefined)
    ? new Map(
        files
          .values()
          .flatMap((file) => [file, ...(file.parts ?? [])])
          .map((entry) => [entry.path, entry]),
      )
    : files;

/**
 * A data file with its entries, or with the reason why it has none.
 * @param dataFile.path what the paths of its entries begin with: the file's own, or a pattern
 */
async function splitFile(
  clone: SiteClone,
  { path, file }: { path: string; file: TreeEntry },
  signal: AbortSignal | undefined,
): Promise<TreeEntry> {
  const { id, mode, size } = file;
  const isWhole = isFilePattern(path);
  const { cache, calls } = clone.dataFiles;
  if (size > MAX_BYTES)
    return { ...file, problems: [`It has more than ${MAX_BYTES} bytes, so it has no pages.`] };
  const split = async (endSignal: AbortSignal) =>
    calls(endSignal).splitDataFile({ path, source: await readUtf8(clone.store, id) });
  const result = await cache
    .read(`${isWhole ? 'whole' : 'split'} ${dataLanguage(path)} ${id}`, split, signal)
    .catch(unreadableProblems);
  if (Array.isArray(result)) return { ...file, problems: result };
  const parts = result.entries.map(({ key, source }) => ({
    path: entryPath({ file: path, key: isWhole ? keyByPattern(path, file.path)! : key }),
    ...blobOf(source),
    mode,
    text: source,
  }));
  return { ...file, parts, ...(result.problems.length > 0 && { problems: result.problems }) };
}

/** For `catch`: why a file that can't be read has no pages. */
function unreadableProblems(error: unknown): string[] {
  if (hasErrorCode(error, 'PAGE_UNREADABLE', 'LIMIT_EXCEEDED'))
    return [`It has no pages, because it cannot be read: ${error.message}.`];
  throw error;
}

async function readUtf8(store: CloneStore, id: string): Promise<string> {
  try {
    const bytes = await store.objects.read(id);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new DomainError('PAGE_UNREADABLE', 'It is not UTF-8 text');
  }
}

/** The id and size that git gives to a text. */
export function blobOf(text: string): Pick<TreeEntry, 'id' | 'size'> {
  const size = Buffer.byteLength(text);
  const id = createHash('sha1').update(`blob ${size}\0`).update(text).digest('hex');
  return { id, size };
}

/** Whether a path is an entry, or the path of a new one, of a data file whose entries are pages. */
export function isDataEntry(entries: SiteTree['entries'], path: string): boolean {
  const entry = entries.get(path);
  if (entry) return entry.text !== undefined;
  const { file = '' } = readEntryPath(path) ?? {};
  return filesAt(entries, file).some(({ parts }) => parts !== undefined);
}

/**
 * Writes changes of entries into their data files, as blobs.
 * @param base the tree that gets the changes
 * @returns the changes, with one more for each of these files
 * @throws DomainError INVALID_INPUT for entries that don't fit their file, LIMIT_EXCEEDED for a
 *   file that would be too large, CONFLICT for a file whose entries are not pages any more
 */
export async function spliceEntries(
  clone: SiteClone,
  base: Pick<SiteTree, 'entries'>,
  changes: ChangedEntry[],
  signal?: AbortSignal,
): Promise<ChangedEntry[]> {
  const written = new Set(changes.map(({ path }) => path));
  const changesByFile = Map.groupBy(
    changes.filter(({ text }) => text !== undefined),
    ({ path }) => readEntryPath(path)!.file,
  );
  const files: ChangedEntry[] = [];
  for (const [path, entryChanges] of changesByFile) {
    if (isFilePattern(path)) {
      const others = entryChanges.filter(({ path: entry }) => !written.has(fileOf(entry)));
      for (const change of others) files.push(await writeWholeFile(clone, change, signal));
      continue;
    }
    if (written.has(path)) continue;
    const file = base.entries.get(path);
    if (!file?.parts)
      throw new DomainError('CONFLICT', `The entries of ${path} are not pages any more`);
    const source = await readUtf8(clone.store, file.id);
    const newSource = await clone.dataFiles.calls(signal).spliceDataFile(
      { path, source },
      entryChanges.map(({ path: entry, id, text, after }) => ({
        key: readEntryPath(entry)!.key,
        source: id === null ? null : text!,
        after: after === undefined ? undefined : readEntryPath(after)?.key,
      })),
    );
    const id = await writeObject(clone.store.dir, 'blob', newSource);
    const { mode } = file;
    const size = Buffer.byteLength(newSource);
    const newFile = await splitFile(clone, { path, file: { path, id, mode, size } }, signal);
    if (!newFile.parts)
      throw new DomainError('LIMIT_EXCEEDED', `${path}: ${newFile.problems?.join(' ')}`);
    files.push(newFile);
  }
  return [...changes, ...files];
}

/** The file of an entry that is the whole file: `cities/*.json#berlin` → `cities/berlin.json`. */
const fileOf = (path: string) => fileByPattern(readEntryPath(path)!);

/** Writes, or deletes, the file of an entry that is the whole file. */
async function writeWholeFile(
  clone: SiteClone,
  { path: entry, id, text, mode }: ChangedEntry,
  signal?: AbortSignal,
): Promise<ChangedEntry> {
  const { file: path, key } = readEntryPath(entry)!;
  const filePath = fileOf(entry);
  if (id === null) return { path: filePath, mode, size: 0, id };
  const newSource = await clone.dataFiles
    .calls(signal)
    .spliceDataFile({ path, source: '' }, [{ key, source: text! }]);
  const file = {
    path: filePath,
    mode,
    id: await writeObject(clone.store.dir, 'blob', newSource),
    size: Buffer.byteLength(newSource),
  };
  return splitFile(clone, { path, file }, signal);
}
