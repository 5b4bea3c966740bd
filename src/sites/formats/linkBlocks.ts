import type { PageFile } from '../../contract/site.ts';
import type { Slot } from './page.ts';

/** The template that new pages are made of, as another page knows it. */
export interface LinkedTemplate extends PageFile {
  /** The texts of its title and headline, and the words of its slug. */
  names: string[];
}

/** The block of a page that stands for another page. */
export interface LinkBlock {
  slots: Slot[];
  /** Ids of those that name the other page: headings, and what its links show. */
  naming: string[];
  /** Texts that its neighbours have too: labels. */
  common: string[];
}

export interface LinkAnswer {
  /** Null where no block of the page's content leads to the template. */
  block: LinkBlock | null;
  /** The pages that the page's content leads to. */
  linked: string[];
  /** Whether a list in its structured data has the template. */
  isListed: boolean;
}
