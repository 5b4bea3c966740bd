import type { Remote } from './remote.ts';
import type { Store } from './store.ts';
import type { SiteLimits } from './tree.ts';

/** One site's repository as this machine has it: the copy here, its remote, and which folder of it is the site. */
export interface Clone {
  store: Store;
  remote: Remote;
  /** '' or the folder of the site's pages. */
  root: string;
  siteLimits: SiteLimits;
}

/** The folder of the pages as a prefix of paths: '' or with a slash at its end. */
export const prefixOf = ({ root }: Pick<Clone, 'root'>) => (root === '' ? '' : `${root}/`);
