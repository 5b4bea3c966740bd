import { Unzip, UnzipInflate } from 'fflate';
import { takeInstead } from './fileKinds.ts';

/** Says in a sentence for the person who chose a file why it can't be read. */
export class Unreadable extends Error {}

const MB = 1_000_000;
/**
 * The most megabytes of all parts that are read, together. A table of 500 rows has less than one.
 */
const MOST_MB = 50;
const MOST_PARTS = 2_000;
/** Bytes that are unzipped at a time. They become at most a thousand times as many. */
const STEP_BYTES = 16_384;

interface Unzipped {
  /** Names of all parts of the archive. */
  names: string[];
  /** The wanted parts. If several have the same name, the first one counts. */
  parts: Map<string, Uint8Array>;
}

/**
 * Unzips parts of an archive. Unzipped bytes are counted as they come, because the sizes that an
 * archive states may be wrong.
 * @throws Unreadable if the archive is too large; another error if it is damaged
 */
export function unzip(bytes: Uint8Array, isWanted: (name: string) => boolean): Unzipped {
  if (!hasEnd(bytes)) throw new Error('The archive has no end');
  const names: string[] = [];
  const found = new Map<string, Uint8Array[]>();
  let total = 0;
  const unzipper = new Unzip((part) => {
    if (names.push(part.name) > MOST_PARTS)
      throw new Unreadable(`The file has too many parts. ${takeInstead}`);
    if (!isWanted(part.name) || found.has(part.name)) return;
    const chunks: Uint8Array[] = [];
    found.set(part.name, chunks);
    part.ondata = (error, chunk) => {
      if (error) throw error;
      total += chunk.length;
      if (total > MOST_MB * MB)
        throw new Unreadable(
          `The workbook has more than ${MOST_MB} MB when it is unpacked. ${takeInstead}`,
        );
      chunks.push(chunk);
    };
    part.start();
  });
  unzipper.register(UnzipInflate);
  for (let at = 0; at < bytes.length; at += STEP_BYTES)
    unzipper.push(bytes.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= bytes.length);
  return { names, parts: new Map([...found].map(([name, chunks]) => [name, joined(chunks)])) };
}

/**
 * Whether an archive has its list of parts, which stands at its end before a comment of 64 kB at
 * most. An archive that was cut off has no list.
 */
function hasEnd(bytes: Uint8Array): boolean {
  const last = bytes.subarray(-66_000);
  for (
    let at = last.lastIndexOf(0x50);
    at >= 0;
    at = at === 0 ? -1 : last.lastIndexOf(0x50, at - 1)
  )
    if (last[at + 1] === 0x4b && last[at + 2] === 0x05 && last[at + 3] === 0x06) return true;
  return false;
}

function joined(chunks: Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
