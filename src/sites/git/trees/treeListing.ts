import { DomainError } from '../../../errors.ts';
import type { SiteLimits } from '../siteClone.ts';
import { processMany } from '../command/processMany.ts';
import { isGitsOwnName } from '../refNames.ts';
import type { TreeEntry } from '../repository.ts';

const [tabByte, nulByte] = ['\t', '\0'].map((character) => character.charCodeAt(0)) as [
  number,
  number,
];

/** Most bytes of an entry before its path: mode, type, SHA-256 id and size. */
const factsBytes = 100;

/** Bytes of the longest listing within the limits. */
export const listingBytes = ({ siteEntries, sitePathsBytes }: SiteLimits) =>
  siteEntries * factsBytes + sitePathsBytes;

/**
 * Reads the output of `ls-tree -r -t -z --long`: `<mode> <type> <id> <size, padded>\t<path>\0` for
 * each folder, then for its entries. A submodule's size is `-`.
 * @returns the files by path
 * @throws DomainError LIMIT_EXCEEDED, or GIT_FAILED for a name that git reserves for itself; both
 *   name the first such path
 */
export async function readListing(
  listing: Buffer,
  limits: SiteLimits,
  signal?: AbortSignal,
): Promise<Map<string, TreeEntry>> {
  const files = new Map<string, TreeEntry>();
  const shape = { entries: 0, pathsBytes: 0, bytes: 0 };
  const addEntry = ({ type, bytes, ...file }: ListedEntry) => {
    checkPathShape(file.path, bytes, limits);
    if (type !== 'tree') files.set(file.path, file);
    shape.entries += 1;
    shape.pathsBytes += bytes;
    shape.bytes += file.size;
  };
  await processMany(parseListing(listing), addEntry, signal);
  checkTotals({ ...shape, files: files.size }, limits);
  return files;
}

/** An entry of git's listing. `bytes`: the length of its path. */
interface ListedEntry extends TreeEntry {
  type: string | undefined;
  bytes: number;
}

function* parseListing(listing: Buffer): Generator<ListedEntry> {
  for (let position = 0; position < listing.length;) {
    const pathStart = listing.indexOf(tabByte, position) + 1;
    const nextPosition = listing.indexOf(nulByte, pathStart) + 1;
    const [mode = '', type, id = '', size] = listing
      .toString('latin1', position, pathStart - 1)
      .split(/ +/);
    const path = listing.toString('utf8', pathStart, nextPosition - 1);
    yield { path, id, mode, type, size: Number(size) || 0, bytes: nextPosition - 1 - pathStart };
    position = nextPosition;
  }
}

/**
 * Throws LIMIT_EXCEEDED for a path that is too long or too deep, GIT_FAILED for a name that git
 * reserves for itself.
 */
export function checkPathShape(
  path: string,
  bytes: number,
  { pathBytes, siteDepth }: SiteLimits,
): void {
  if (bytes > pathBytes)
    throw limitExceeded(
      `The path ${quotePath(path)} has ${bytes} bytes, but at most ${pathBytes} are supported`,
    );
  const names = path.split('/');
  if (names.length - 1 > siteDepth)
    throw limitExceeded(
      `The folders of ${quotePath(path)} are nested too deeply: at most ${siteDepth} levels are supported`,
    );
  if (isGitsOwnName(names.at(-1) ?? '')) throw forbiddenNameError(path);
}

export const forbiddenNameError = (path: string) =>
  new DomainError(
    'GIT_FAILED',
    `The repository contains a name that git does not allow: ${quotePath(path)}`,
  );

/**
 * Checks the number and bytes of files that come from elsewhere than git's listing.
 * @throws DomainError LIMIT_EXCEEDED
 */
export function checkFileTotals(files: ReadonlyMap<string, TreeEntry>, limits: SiteLimits): void {
  const bytes = files.values().reduce((sum, { size }) => sum + size, 0);
  checkTotals({ files: files.size, entries: files.size, pathsBytes: 0, bytes }, limits);
}

interface ListingTotals {
  files: number;
  entries: number;
  pathsBytes: number;
  bytes: number;
}

function checkTotals({ files, entries, pathsBytes, bytes }: ListingTotals, limits: SiteLimits) {
  if (files > limits.siteFiles)
    throw limitExceeded(
      `The site has ${files} files, but at most ${limits.siteFiles} are supported`,
    );
  if (entries > limits.siteEntries || pathsBytes > limits.sitePathsBytes)
    throw tooManyPaths(limits);
  if (bytes > limits.siteBytes)
    throw limitExceeded(
      `The site's files are larger than ${Math.floor(limits.siteBytes / 1024 ** 2)} MiB`,
    );
}

/** The error for a listing that is too long to be read completely. */
export const tooManyPaths = ({ siteEntries, sitePathsBytes }: SiteLimits) =>
  limitExceeded(
    `The site has too many files and folders (more than ${siteEntries}), ` +
      `or their paths are too long (more than ${sitePathsBytes} bytes together)`,
  );

const limitExceeded = (message: string) => new DomainError('LIMIT_EXCEEDED', message);

const quotedLength = 200;
const quotePath = (path: string) =>
  JSON.stringify(path.length > quotedLength ? `${path.slice(0, quotedLength - 1)}…` : path);
