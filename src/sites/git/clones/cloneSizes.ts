import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../../errors.ts';
import { listClones, siteOfClone } from './cloneName.ts';

/** The sizes of this machine's clones. */
export interface CloneSizes {
  /** Bytes of a clone; 0 if there is none. Measured once, until it changes. */
  of(name: string): Promise<number>;
  /** Makes the next reader measure the clone again. */
  changed(name: string): void;
  /**
   * Measures the clones before a fetch.
   * @param siteBytes most bytes of the site's clone
   * @returns a check for the fetch. It gets the bytes that have arrived so far, and throws
   *   LIMIT_EXCEEDED if they make the clone, or all clones of the organization, too large
   */
  beforeFetch(
    copy: { name: string; organizationId: string },
    siteBytes: number,
  ): Promise<(arrived: number) => void>;
}

/**
 * Measures the clones of this machine, and remembers their sizes.
 * @param options.folder the folder of all clones
 * @param options.organizationBytes most bytes of all clones of an organization's sites
 * @param options.sitesOf the ids of an organization's registered sites
 */
export function createCloneSizes(options: {
  folder: string;
  organizationBytes: number;
  sitesOf: (organizationId: string) => Promise<string[]>;
}): CloneSizes {
  const { folder, organizationBytes, sitesOf } = options;
  const knownSizes = new Map<string, number>();

  async function sizeOfClone(name: string): Promise<number> {
    const bytes = knownSizes.get(name) ?? (await bytesBelow(join(folder, `${name}.git`)));
    knownSizes.set(name, bytes);
    return bytes;
  }

  return {
    of: sizeOfClone,
    changed: (name) => void knownSizes.delete(name),
    async beforeFetch({ name, organizationId }, siteBytes) {
      const sites = new Set(await sitesOf(organizationId));
      const cloneBytes = await sizeOfClone(name);
      let totalBytes = cloneBytes;
      for (const otherName of await listClones(folder))
        if (otherName !== name && sites.has(siteOfClone(otherName)))
          totalBytes += await sizeOfClone(otherName);
      return (arrived) => {
        if (cloneBytes + arrived > siteBytes) throw repositoryTooLarge(siteBytes);
        if (arrived > 0 && totalBytes + arrived > organizationBytes)
          throw organizationTooLarge(organizationBytes);
      };
    },
  };
}

export const repositoryTooLarge = (bytes: number) =>
  new DomainError('LIMIT_EXCEEDED', `The repository is larger than ${mebibytes(bytes)}`);

export const organizationTooLarge = (bytes: number) =>
  new DomainError(
    'LIMIT_EXCEEDED',
    `The repositories of the organization together are larger than ${mebibytes(bytes)}`,
  );

const mebibytes = (bytes: number) => `${Math.floor(bytes / 1024 ** 2)} MiB`;

/** Bytes of all files below a folder; 0 if it is missing. Ignores files that vanish meanwhile. */
export async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = entries.map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory()
      ? bytesBelow(path)
      : stat(path).then(
          ({ size }) => size,
          () => 0,
        );
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
