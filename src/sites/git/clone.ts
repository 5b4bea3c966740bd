import type { Remote } from './access.ts';
import type { Connect } from './connect.ts';
import type { WriteBlob } from './blobWriter.ts';
import type { KnownTrees } from './knownTrees.ts';
import type { Pace } from './pace.ts';
import type { Store } from './store.ts';
import type { FairQueue } from '../../fairQueue.ts';
import type { CopySizes } from './diskUsage.ts';

export type { Remote } from './access.ts';

/** Bytes of a site's repository and of a commit's files, and the shape of a commit's tree. */
export type SiteLimits = Record<
  'siteBytes' | 'siteFiles' | 'siteEntries' | 'siteDepth' | 'pathBytes' | 'sitePathsBytes',
  number
>;

/** Shared by the fetches of all sites. */
export interface Fetching {
  queue: FairQueue;
  sizes: CopySizes;
  /** Called when a copy has grown. */
  onGrowth: () => void;
  pace: Pace;
}

/** A copy, its site, and the organization that owns the site. */
export interface OwnedCopy {
  name: string;
  siteId: string;
  organizationId: string;
}

/** One site's repository on this machine: the copy, its remote, and the site's folder in it. */
export interface Clone {
  store: Store;
  writeBlob: WriteBlob;
  trees: KnownTrees;
  owned: OwnedCopy;
  fetching: Fetching;
  remote: Remote;
  connect: Connect;
  /** '' or the folder of the site's pages in the repository. */
  root: string;
  siteLimits: SiteLimits;
}

/** The folder of the pages as a prefix of paths: '' or with a slash at its end. */
export const prefixOf = ({ root }: Pick<Clone, 'root'>) => (root === '' ? '' : `${root}/`);
