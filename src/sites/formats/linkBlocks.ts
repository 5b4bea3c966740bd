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
  /** Ids of the slots that name the other page: headings, and texts of links. */
  naming: string[];
  /** Texts that neighbouring blocks have too: labels. */
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
