import { limits } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';
import { forMany } from './forMany.ts';

/** An entry of a folder, found by its name. */
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
const bytesOf = (name: string) => Buffer.from(name).toString('latin1');

/** An entry in a folder's object, `<mode> <name>\0<id>` with the id as bytes, and its position. */
interface Standing {
  start: number;
  end: number;
  /** The name's bytes, one character each. */
  name: string;
  mode: string;
}

function* standingIn(folder: Buffer): Generator<Standing> {
  for (let start = 0, end = 0; start < folder.length; start = end) {
    const nameAt = folder.indexOf(blank, start) + 1;
    const nameEnd = folder.indexOf(nul, nameAt);
    end = nameEnd + 1 + idBytes;
    if (nameEnd - nameAt > limits.pathBytes)
      throw new DomainError(
        'LIMIT_EXCEEDED',
        `A name in the repository is longer than ${limits.pathBytes} bytes`,
      );
    const [name, mode] = [
      folder.toString('latin1', nameAt, nameEnd),
      folder.toString('latin1', start, nameAt - 1),
    ];
    yield { start, end, name, mode };
  }
}

/**
 * The entries of a folder with these names, by name.
 * @param folder the folder's tree object
 */
export async function entriesNamed(
  folder: Buffer,
  names: Iterable<string>,
): Promise<Map<string, FolderEntry>> {
  const wanted = new Map(Array.from(names, (name) => [bytesOf(name), name]));
  const found = new Map<string, FolderEntry>();
  await forMany(standingIn(folder), ({ name, mode, end }) => {
    const own = wanted.get(name);
    if (own !== undefined) found.set(own, { mode, id: folder.toString('hex', end - idBytes, end) });
  });
  return found;
}

/**
 * A folder's object with some entries set, by name; null removes an entry. All other bytes stay as
 * they are.
 */
export async function withEntries(
  folder: Buffer,
  entries: ReadonlyMap<string, FolderEntry | null>,
): Promise<Buffer> {
  const changed = new Set(Array.from(entries.keys(), bytesOf));
  const added = [...entries]
    .flatMap(([name, entry]) => (entry === null ? [] : [writtenOf(name, entry)]))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const parts: Buffer[] = [];
  let copied = 0;
  const copyTo = (end: number) => {
    if (end > copied) parts.push(folder.subarray(copied, end));
    copied = end;
  };
  await forMany(standingIn(folder), ({ start, end, ...entry }) => {
    const key = keyOf(entry);
    while (added[0] && added[0].key < key) {
      copyTo(start);
      parts.push(added.shift()!.bytes);
    }
    if (!changed.has(entry.name)) return;
    copyTo(start);
    copied = end;
  });
  copyTo(folder.length);
  return Buffer.concat([...parts, ...added.map(({ bytes }) => bytes)]);
}

/**
 * The sort key of a folder's entries: the bytes of the name, with a slash after a folder's name.
 */
const keyOf = ({ name, mode }: Pick<Standing, 'name' | 'mode'>) =>
  isFolder({ mode }) ? `${name}/` : name;

function writtenOf(name: string, { mode, id }: FolderEntry) {
  const bytes = Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]);
  return { key: keyOf({ name: bytesOf(name), mode }), bytes };
}
