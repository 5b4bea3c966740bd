import type { PageFile } from '../../contract/site.ts';
import type { Slot } from './format.ts';
import type { PageSource } from './pages.ts';
import type { LinkedPage } from '../html/blocks/addBlocks.ts';

/** The template that new pages are made of, as another page knows it. */
export interface LinkedTemplate extends PageFile {
  /** Its title and headline. */
  names: string[];
}

/** A page that is asked for its block for the template. */
export interface LinkQuestion {
  page: PageSource;
  /** Pages that show what of it is the site's chrome. */
  sisters: PageSource[];
  template: LinkedTemplate;
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
}

export interface AddLinks extends LinkQuestion {
  items: LinkedPage[];
  /** Every file of the site below its root. */
  sitePaths: string[];
}

/** A page that a task added blocks to, and that others changed meanwhile. */
export interface MergeLinks {
  /** The page as the task found it. */
  before: string;
  task: string;
  theirs: PageSource;
  /** The pages that the task wrote. */
  slugs: string[];
}
