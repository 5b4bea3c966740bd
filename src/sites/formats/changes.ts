import type { PageFile } from '../../contract/site.ts';
import type { EntryMarks, SlotTexts } from './pageParts.ts';

/** A page after an edit. */
export interface EditedPageSource {
  source: string;
  /**
   * The numbers of the page's elements in document order. The ids of slots, links, images and
   * groups are made from them. Elements keep their numbers when others are added or removed. New
   * elements get `n1`, `n2` … Absent: each element has the number of its position.
   */
  elementNumbers?: string[];
}

/** A new entry of the main navigation. */
export interface NewEntry {
  page: PageFile;
  text: string;
  /** The text of the entry that the new one follows. Absent: the last entry that can be copied. */
  after?: string;
  /** How the site marks the entry of the current page. Used on the page of the entry itself. */
  marks?: EntryMarks;
}

/** Selects entries of the navigations by their text or by the page that they lead to. */
export type EntryName = { text: string } | { slug: string };

/** The move of a page to another path of its site. */
export interface PageMove {
  from: PageFile;
  to: PageFile;
  /** Every file of the site. A text that may be a URL counts as one if it names one of these. */
  sitePaths: string[];
}

/** The target of a link in this site: a page, or another file (`slug` null). */
export interface SiteTarget {
  path: string;
  slug: string | null;
  query: string;
  fragment: string;
}

/** The page that is the translation of another one, such as `/de/about` of `/about`. */
export interface LanguagePair {
  translation: PageFile;
  /** Language of the translation: BCP 47 tag. */
  lang: string;
}

/**
 * A new page that another page gets a block for. `texts` are the block's new texts, by slot ids of
 * the cloned block.
 */
export interface LinkedPage {
  file: PageFile;
  texts: SlotTexts;
  /** Ids of slots that its block lacks: see `LinkBlock.removable`. */
  removed?: string[];
  /**
   * ISO 3166-1 code of the country of telephone numbers without a country code. Absent: the country
   * of the template's numbers.
   */
  country?: string;
}

/** A page with the blocks that a task added. */
export interface MergedBlocks {
  source: string;
  /** Slugs of the pages whose blocks could not be added. */
  skipped: string[];
}

/** A page with links to other pages. */
export interface LinkingPage {
  slug: string;
  /** Slugs of the pages that its content links to. */
  to: string[];
  /** Whether it has a block that represents the linked page, such as a card. */
  hasBlock: boolean;
}
