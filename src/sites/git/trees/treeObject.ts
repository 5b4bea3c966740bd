import { limits } from '../../../contract/task.ts';
import { DomainError } from '../../../errors.ts';
import { processMany } from '../command/processMany.ts';

/** An entry of a folder, which git stores as a tree object: a file or a subfolder. */
export interface FolderEntry {
  /** As git writes it: 40000 for a folder. */
  mode: string;
  id: string;
}

const [blank, nul] = [32, 0];
const idBytes = 20;

/** Old git clients wrote zeros before the mode. */
export const isFolder = ({ mode }: Pick<FolderEntry, 'mode'>) =>
  Number.parseInt(mode, 8) === 0o40000;

/** A name's bytes, one character each, for comparing as git does. */
const nameBytes = (name: string) => Buffer.from(name).toString('latin1');

/** An entry in a folder's object, `<mode> <name>\0<id>` with the id as bytes, and its position. */
interface StoredEntry {
  start: number;
  end: number;
  /** The name's bytes, one character each. */
  name: string;
  mode: string;
}

export const longNameError = () =>
  new DomainError(
    'LIMIT_EXCEEDED',
    `The repository contains a name that is longer than ${limits.pathBytes} bytes`,
  );

function* iterateEntries(folder: Buffer): Generator<StoredEntry> {
  for (let start = 0, end = 0; start < folder.length; start = end) {
    const nameStart = folder.indexOf(blank, start) + 1;
    const nameEnd = folder.indexOf(nul, nameStart);
    end = nameEnd + 1 + idBytes;
    if (nameEnd - nameStart > limits.pathBytes) throw longNameError();
    const [name, mode] = [
      folder.toString('latin1', nameStart, nameEnd),
      folder.toString('latin1', start, nameStart - 1),
    ];
    yield { start, end, name, mode };
  }
}

/**
 * The entries of a folder with these names, by name.
 * @param folder the folder's tree object
 */
export async function findEntries(
  folder: Buffer,
  names: Iterable<string>,
): Promise<Map<string, FolderEntry>> {
  const namesByBytes = new Map(Array.from(names, (name) => [nameBytes(name), name]));
  const entries = new Map<string, FolderEntry>();
  await processMany(iterateEntries(folder), ({ name, mode, end }) => {
    const wantedName = namesByBytes.get(name);
    if (wantedName !== undefined)
      entries.set(wantedName, { mode, id: folder.toString('hex', end - idBytes, end) });
  });
  return entries;
}

/**
 * A folder's object with some entries set, by name; null removes an entry. All other bytes stay as
 * they are.
 */
export async function setEntries(
  folder: Buffer,
  entries: ReadonlyMap<string, FolderEntry | null>,
): Promise<Buffer> {
  const changedNames = new Set(Array.from(entries.keys(), nameBytes));
  const addedEntries = [...entries]
    .flatMap(([name, entry]) => (entry === null ? [] : [encodeEntry(name, entry)]))
    .sort((first, second) => (first.key < second.key ? -1 : 1));
  const parts: Buffer[] = [];
  let copiedUntil = 0;
  const copyTo = (end: number) => {
    if (end > copiedUntil) parts.push(folder.subarray(copiedUntil, end));
    copiedUntil = end;
  };
  await processMany(iterateEntries(folder), ({ start, end, ...entry }) => {
    const key = sortKey(entry);
    while (addedEntries[0] && addedEntries[0].key < key) {
      copyTo(start);
      parts.push(addedEntries.shift()!.bytes);
    }
    if (!changedNames.has(entry.name)) return;
    copyTo(start);
    copiedUntil = end;
  });
  copyTo(folder.length);
  return Buffer.concat([...parts, ...addedEntries.map(({ bytes }) => bytes)]);
}

/**
 * The sort key of a folder's entries: the bytes of the name, with a slash after a folder's name.
 */
const sortKey = ({ name, mode }: Pick<StoredEntry, 'name' | 'mode'>) =>
  isFolder({ mode }) ? `${name}/` : name;

function encodeEntry(name: string, { mode, id }: FolderEntry) {
  const bytes = Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]);
  return { key: sortKey({ name: nameBytes(name), mode }), bytes };
}
