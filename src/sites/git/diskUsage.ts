import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '../../errors.ts';

/** A site's copy on this machine, and the organization that owns the site. */
export interface Owned {
  siteId: string;
  organizationId: string;
}

/** Bytes of the copies on this machine: all that is below their `objects/`. */
export interface Usage {
  /**
   * Begins to count the bytes of one fetch. They count for other fetches of the organization until
   * `done`.
   * @param siteBytes most bytes of the site's copy
   */
  begin(site: Owned, siteBytes: number): Promise<Arrival>;
  /** Frees the record of a removed copy. */
  forget(siteId: string): void;
  /** Makes the next fetch measure the copy again. */
  changed(siteId: string): void;
}

export interface Arrival {
  /**
   * Throws LIMIT_EXCEEDED if these bytes would make the copy, or all copies of the organization,
   * too large.
   * @param arrived bytes that have arrived so far
   */
  check(arrived: number): void;
  /** Measures the copy again if it received something. */
  done(): Promise<void>;
}

/**
 * @param options.organizationBytes bytes of all copies of an organization's sites
 * @param options.sitesOf the ids of an organization's registered sites
 * @param options.objectsOf the folder of a copy's objects
 */
export function createUsage(options: {
  organizationBytes: number;
  sitesOf: (organizationId: string) => Promise<string[]>;
  objectsOf: (siteId: string) => string;
  /** Called when a copy has grown. */
  onGrowth?: () => void;
}): Usage {
  const { organizationBytes, sitesOf, objectsOf, onGrowth } = options;
  const known = new Map<string, number>();
  const stale = new Set<string>();
  const arriving = new Map<string, number>();
  const bytesWith = (siteId: string) => (known.get(siteId) ?? 0) + (arriving.get(siteId) ?? 0);

  async function measure(siteId: string) {
    stale.delete(siteId); // first: changes during the measurement mark it stale again
    known.set(siteId, await bytesBelow(objectsOf(siteId)));
  }

  const isOld = (siteId: string) => !known.has(siteId) || stale.has(siteId);

  return {
    async begin({ siteId, organizationId }, siteBytes) {
      const sites = [...new Set([...(await sitesOf(organizationId)), siteId])];
      for (const id of sites) if (isOld(id)) await measure(id);
      return {
        check(arrived) {
          arriving.set(siteId, arrived);
          if (bytesWith(siteId) > siteBytes) throw tooLarge('The repository is', siteBytes);
          const all = sites.reduce((sum, id) => sum + bytesWith(id), 0);
          if (arrived > 0 && all > organizationBytes)
            throw tooLarge("The organization's repositories together are", organizationBytes);
        },
        async done() {
          const hasGrown = arriving.get(siteId) !== 0;
          if (hasGrown) await measure(siteId);
          arriving.delete(siteId);
          if (hasGrown) onGrowth?.();
        },
      };
    },
    forget(siteId) {
      known.delete(siteId);
      stale.delete(siteId);
    },
    changed: (siteId) => void stale.add(siteId),
  };
}

const tooLarge = (what: string, bytes: number) =>
  new DomainError('LIMIT_EXCEEDED', `${what} larger than ${Math.floor(bytes / 1024 ** 2)} MiB`);

/** Bytes of all files below a folder; 0 if there is none. Ignores files that vanish meanwhile. */
export async function bytesBelow(folder: string): Promise<number> {
  const found = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = found.map((entry) => {
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
