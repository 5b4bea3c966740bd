import type { OpenableSite } from '../../../contract/site.ts';
import { createSharedCache } from '../../../singleFlight.ts';
import { isDataFile } from '../../dataFiles/entryPaths.ts';
import type { SplitDataFile } from '../../dataFiles/entrySources.ts';
import type { EntryChange } from '../../dataFiles/spliceDataFile.ts';

/** Reads and writes data files, in threads. */
export interface DataFileCalls {
  splitDataFile(file: { path: string; source: string }): Promise<SplitDataFile>;
  spliceDataFile(file: { path: string; source: string }, changes: EntryChange[]): Promise<string>;
}

/** The threads that parse data files for an organization. */
export interface DataFileThreads {
  for(owner: { organizationId: string; signal: AbortSignal }): DataFileCalls;
}

/** The data files of a site whose entries are pages. */
export interface SiteDataFiles {
  /** Their paths. */
  paths: ReadonlySet<string>;
  calls: (signal: AbortSignal | undefined) => DataFileCalls;
  /** The entries of the files that were read lately, by their blobs. */
  cache: ReturnType<typeof createSplitFileCache>;
}

const CACHED_LENGTH = 64 * 1024 ** 2;
const createSplitFileCache = () =>
  createSharedCache<SplitDataFile>({
    maxSize: CACHED_LENGTH,
    sizeOf: ({ entries }) => entries.reduce((sum, { source }) => sum + source.length + 100, 100),
  });

/** Makes the function that finds the data files of a site. Without threads, no site has any. */
export function createDataFileOpener(
  threads: DataFileThreads | undefined,
): (site: OpenableSite) => SiteDataFiles {
  const cache = createSplitFileCache();
  return ({ organizationId, ownHost }) => {
    const folders = threads ? (ownHost?.pageUrls ?? []).map(({ folder }) => folder) : [];
    return {
      paths: new Set(folders.filter(isDataFile)),
      calls: (signal = new AbortController().signal) => threads!.for({ organizationId, signal }),
      cache,
    };
  };
}
