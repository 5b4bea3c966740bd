import type { PageFile } from '../../contract/site.ts';
import type { TextSlot } from './pageParts.ts';

/** The page that new pages are made from, as seen by a page that links to it. */
export interface LinkedTemplate extends PageFile {
  /**
   * The texts of its title and headline, and the words of its slug. They serve to find blocks that
   * name it.
   */
  names: string[];
}

/** The block of a page that represents another page, such as a card in a list. */
export interface LinkBlock {
  slots: TextSlot[];
  /** Ids of the slots that name the other page: headings and link texts. */
  naming: string[];
  /** Texts that neighbouring blocks share, such as labels. */
  common: string[];
  /** Ids of the slots that can be removed from the block, with the element that has their text. */
  removable: string[];
}

/** What a page has for a template: a block that represents it, and the pages that it links to. */
export interface LinkBlockAnswer {
  /** Null if no block of the page's content leads to the template. */
  block: LinkBlock | null;
  /** Slugs of the pages that the page's content links to. */
  linked: string[];
  /** Whether a list in the page's structured data contains the template. */
  isListed: boolean;
}
