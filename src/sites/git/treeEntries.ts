import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TreeEntry } from './repository.ts';

/** Bytes that are read before others get their turn: about 2 ms of work. */
const AT_ONCE = 256 * 1024;

/**
 * Reads the output of `ls-tree -r -z --long`, piece by piece: in a thread it would cost the main thread as much, to
 * take over the entries.
 * @param output lines `<mode> <type> <id> <size, padded>\t<path>\0`; a submodule's size is `-`
 */
export async function readEntries(output: Buffer): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < output.length;) {
    const found = output.indexOf(0, Math.min(at + AT_ONCE, output.length - 1));
    const end = found < 0 ? output.length : found;
    for (const line of output.toString('utf8', at, end).split('\0')) entries.push(entryOf(line));
    at = end + 1;
    await nextTurn();
  }
  return entries;
}

function entryOf(line: string): TreeEntry {
  const tab = line.indexOf('\t');
  const [mode = '', , id = '', size = '0'] = line.slice(0, tab).split(/ +/);
  return { path: line.slice(tab + 1), id, mode, size: Number(size) || 0 };
}
