import type { SiteRemote } from './remote/remoteAccess.ts';
import type { RemoteConnector } from './remote/connector.ts';
import type { BlobWriter } from './clones/blobWriter.ts';
import type { SiteTreeCache } from './trees/treeCache.ts';
import type { ThroughputLimit } from './remote/throughput.ts';
import type { CloneStore } from './clones/cloneStore.ts';
import type { FairQueue } from '../../fairQueue.ts';
import type { CloneSizes } from './clones/cloneSizes.ts';
import type { SiteDataFiles } from './trees/siteDataFiles.ts';

export type { SiteRemote as Remote } from './remote/remoteAccess.ts';

/** Bytes of a site's repository and of a commit's files, and the shape of a commit's tree. */
export type SiteLimits = Record<
  'siteBytes' | 'siteFiles' | 'siteEntries' | 'siteDepth' | 'pathBytes' | 'sitePathsBytes',
  number
>;

/** What the fetches of all sites share. */
export interface FetchContext {
  queue: FairQueue;
  sizes: CloneSizes;
  /** Called when a clone has grown. */
  onGrowth: () => void;
  /** The minimum throughput of remotes. */
  minThroughput: ThroughputLimit;
}

/** A clone's name, its site, and the organization that owns the site. */
export interface OwnedClone {
  name: string;
  siteId: string;
  organizationId: string;
}

/**
 * What the functions of this module need for one site: its clone on this machine (`store`), the
 * remote, the folder of its pages in the repository, and its limits.
 */
export interface SiteClone {
  store: CloneStore;
  writeBlob: BlobWriter;
  trees: SiteTreeCache;
  owned: OwnedClone;
  fetchContext: FetchContext;
  remote: SiteRemote;
  connect: RemoteConnector;
  /** '' or the folder of the site's pages in the repository. */
  root: string;
  siteLimits: SiteLimits;
  /** The data files whose entries are pages. */
  dataFiles: SiteDataFiles;
}

/** The folder of the pages as a prefix of paths: '' or with a slash at its end. */
export const rootPrefix = ({ root }: Pick<SiteClone, 'root'>) => (root === '' ? '' : `${root}/`);
