import { Unzip, UnzipInflate } from 'fflate';
import { takeInstead } from './fileKinds.ts';

/** Why a file can't be read, in a sentence for the person who chose it. */
export class Unreadable extends Error {}

const MB = 1_000_000;
/** All parts that are read, together. A table of 500 rows has less than one. */
const MOST_MB = 50;
const MOST_PARTS = 2_000;
/** Bytes at a time: they become a thousand times as many at most. */
const STEP_BYTES = 16_384;

interface Unzipped {
  /** Names of all parts. */
  names: string[];
  /** Those that are wanted. The first of a name counts. */
  parts: Map<string, Uint8Array>;
}

/**
 * Unzips parts of an archive. What is unzipped is counted as it comes, whatever the archive says
 * about its sizes.
 * @throws Unreadable where it is too large; other errors where it is broken
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
 * An archive ends with the list of its parts, and a comment of 64 kB at most. One that was cut off
 * has no list.
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
