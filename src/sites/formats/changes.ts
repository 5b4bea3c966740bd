import type { PageFile } from '../../contract/site.ts';
import type { Marks, SlotTexts } from './page.ts';

/**
 * The numbers of a page's elements, in document order, which the ids of slots, links, images and
 * groups are made from. Elements keep their numbers when others come and go. New ones get `n1` …
 */
export interface PageIds {
  numbers: string[];
  /** The next new number. */
  next: number;
  /** Groups that lost their first member: the id that they keep, and the one they would get. */
  groups?: Record<string, string>;
}

/** A page after its elements changed. */
export interface Rebuilt {
  source: string;
  ids: PageIds;
}

/** A new entry of the navigation. */
export interface NewEntry {
  page: PageFile;
  text: string;
  /** The position of the link of `after`: its navigation gets the entry. Absent: the main one. */
  at?: string;
  /** The entry that it comes behind. Absent: the last plain one. */
  after?: string;
  /** How the site marks the entry of the current page. */
  marks?: Marks;
}

/** Which entries of the navigations are meant: by their text, or by where they lead. */
export type EntryName = { text: string } | { slug: string };

/** A page that goes to another place of its site. */
export interface PageMove {
  from: PageFile;
  to: PageFile;
  /** Every file of the site, to tell addresses from other texts. */
  sitePaths: string[];
}

/**
 * A page of this site, or another file of it (`slug` null), and the query and fragment of a link to
 * it.
 */
export interface SiteTarget {
  path: string;
  slug: string | null;
  query: string;
  fragment: string;
}

/** What new markup may name of a site. */
export interface MarkupSite {
  /** Every file of the site, relative to its root; no symbolic links. */
  sitePaths: string[];
  /** Those of the markup's classes that the site has. */
  classes: string[];
}

/** A page's translation. */
export interface LanguagePair {
  other: PageFile;
  /** Its language: BCP 47 tag. */
  lang: string;
}

/** A new page that gets a block: its file, and the block's texts by the slots of the cloned one. */
export interface LinkedPage {
  file: PageFile;
  texts: SlotTexts;
  /** ISO 3166-1 code for telephone numbers without a country's code; absent: the template's. */
  country?: string;
}

/** A page with what a task added to it. */
export interface MergedBlocks {
  source: string;
  /** The pages whose blocks could not be added. */
  left: string[];
}

/** A page that links to others. */
export interface LinkingPage {
  slug: string;
  /** The pages that its content leads to. */
  to: string[];
  /** Whether it has a block that stands for the page. */
  hasBlock: boolean;
}
