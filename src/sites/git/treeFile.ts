import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { limits } from '../../contract/task.ts';
import { DomainError } from '../../errors.ts';

const [blank, nul] = [32, 0];
/** The longest that can stand before an entry's id: its mode and its name. */
const longestName = 10 + limits.pathBytes;

/**
 * Gives an entry of a folder another object, in a file with git's own bytes of the folder: `<mode> <name>\0<id>` for
 * each entry, the id as bytes. All other bytes stay as they are. A folder may have any number of entries: the file is
 * read in parts, and only one part is in memory.
 * @param id the new object's, in hexadecimal
 * @throws DomainError LIMIT_EXCEEDED for a name that is too long, GIT_FAILED where the folder has no such entry
 */
export async function replaceEntry(file: string, name: string, id: string): Promise<void> {
  const bytes = Buffer.from(id, 'hex');
  const at = await findId(file, Buffer.from(name), bytes.length);
  await using handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, at);
}

/** Where the id of the entry stands. */
async function findId(file: string, name: Buffer, idBytes: number): Promise<number> {
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  for await (const part of createReadStream(file) as AsyncIterable<Buffer>) {
    rest = Buffer.concat([rest, part]);
    let at = 0;
    for (let end = 0; (end = rest.indexOf(nul, at)) >= 0 && end + idBytes < rest.length; at = end + 1 + idBytes)
      if (rest.subarray(rest.indexOf(blank, at) + 1, end).equals(name)) return offset + end + 1;
    offset += at;
    rest = rest.subarray(at);
    if (rest.length > longestName + idBytes)
      throw new DomainError('LIMIT_EXCEEDED', `A name in the repository is longer than ${limits.pathBytes} bytes`);
  }
  throw new DomainError('GIT_FAILED', `Folder ${name.toString()} not found in the repository`);
}
