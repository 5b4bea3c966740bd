import type { WriteBlob } from './blobWriter.ts';
import type { Store } from './store.ts';

/** A site's repository where its team keeps it. */
export interface Remote {
  url: string;
  branch: string;
}

/** Files of a site, and bytes of its repository and of a commit's files. */
export interface SiteLimits {
  siteFiles: number;
  siteBytes: number;
}

/** One site's repository as this machine has it: the copy here, its remote, and which folder of it is the site. */
export interface Clone {
  store: Store;
  writeBlob: WriteBlob;
  remote: Remote;
  /** '' or the folder of the site's pages. */
  root: string;
  siteLimits: SiteLimits;
}

/** The folder of the pages as a prefix of paths: '' or with a slash at its end. */
export const prefixOf = ({ root }: Pick<Clone, 'root'>) => (root === '' ? '' : `${root}/`);
