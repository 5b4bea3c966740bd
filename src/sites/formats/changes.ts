import type { PageFile } from '../../contract/site.ts';
import type { Marks, SlotTexts } from './page.ts';

/**
 * The numbers of a page's elements, in document order: what the ids of slots, links, images and
 * groups are made of. They stay when elements come and go; what comes gets new ones (`n1`), what
 * goes takes its own along.
 */
export interface PageIds {
  numbers: string[];
  /** The next new number. */
  next: number;
  /** Groups whose first member is another one now: their id, and the one that they would have. */
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
  /**
   * Where the link of `after` stands, for an entry of that navigation and list; else of the main
   * one.
   */
  at?: string;
  /** The entry that it comes behind; the last plain one. */
  after?: string;
  /** How the site marks the entry of the page that is shown. */
  marks?: Marks;
}

/** Which entries of the navigations are meant: by their text, or by where they lead. */
export type EntryName = { text: string } | { slug: string };

/** A page that goes to another place of its site. */
export interface PageMove {
  from: PageFile;
  to: PageFile;
  /** Every file of the site, as in `Copy`. */
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
  /** Of the markup's classes those that the site has. */
  classes: string[];
}

/** A page that says the same in another language. */
export interface LanguagePair {
  other: PageFile;
  /** Its language: BCP 47 tag. */
  lang: string;
}

/**
 * A page that gets a block of its own: its file, and the texts of its block by the slots of the one
 * that is cloned.
 */
export interface LinkedPage {
  file: PageFile;
  texts: SlotTexts;
  /**
   * ISO 3166-1 code of the country of its telephone numbers without its code; as the template's, if
   * absent.
   */
  country?: string;
}

/** A page with what a task added to it. */
export interface MergedBlocks {
  source: string;
  /** The pages whose blocks have no place on the page any more. */
  left: string[];
}

/** A page that links to others. */
export interface LinkingPage {
  slug: string;
  /** The pages that its content leads to. */
  to: string[];
  /** Whether a block of it stands for the page that was asked for. */
  hasBlock: boolean;
}
