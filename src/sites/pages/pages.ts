import type { InThreads, Pooled } from '../../threads/callsInThreads.ts';
import type { EditedFile, FileEdit } from '../files/editFile.ts';
import type { Outsider } from '../formats/faults.ts';
import type { FormatCalls, PageSource, PathRules } from '../formats/format.ts';
import type { StyleListing } from '../styles/listStyles.ts';
import type { ColourReplaced } from '../styles/replaceColour.ts';
import type { StyleChange } from '../styles/setStyle.ts';
import type { SitemapChanges } from './sitemap.ts';
import type { NotedValues } from './standingNotes.ts';
import type { Target, Wanted } from './planTargets.ts';
import type { TextChange } from './textChanges.ts';

/**
 * The calls that are the same for pages of every format, or about other files. Every call is pure.
 */
export interface SiteCalls {
  /**
   * Whether a page still has what notes on its former version are about; null where its texts can't
   * tell.
   */
  standing(
    page: { written: PageSource; page: PageSource },
    notes: NotedValues[],
  ): (boolean | null)[];
  /** The texts in which two versions of a page differ; null where there is none. */
  compare(after: PageSource | null, before: PageSource | null): TextChange[];
  /**
   * The files of a site that are its pages, one for each slug, by slug. Of two with the same slug
   * it is the one that visitors get.
   * @param files as `fileNames` gives them
   * @returns paths, joined with NUL
   */
  listPages(files: string): string;
  /** Files for pages that are asked for: see `planTargets`. */
  planTargets(files: string, wanted: Wanted): Target[];
  /** A site's sitemap after pages came and went. */
  updateSitemap(sitemap: PageSource, changes: SitemapChanges): string;
  /**
   * What a style sheet has to change and to use. `search`: words of rules to list. Throws
   * INVALID_INPUT.
   */
  styles(file: PageSource, search?: string): StyleListing;
  /**
   * A style sheet with a declaration of an existing rule changed or added, and what was done.
   * Throws INVALID_INPUT.
   */
  setStyle(file: PageSource, change: StyleChange): { source: string; says: string };
  /** A style sheet with a colour in another one's place. Throws INVALID_INPUT. */
  replaceColour(file: PageSource, from: string, to: string): ColourReplaced;
  /**
   * A file with a text replaced. Throws INVALID_INPUT where the text is not there once, or is not
   * for editing.
   */
  editFile(file: PageSource, edit: FileEdit): EditedFile;
  /**
   * Holds a changed file that is no page to what agents may change. Throws INVALID_INPUT.
   * @returns hosts and addresses outside of the site that its former version did not name
   */
  checkFile(file: { path: string; before: string | null; after: string | null }): Outsider[];
  /** Which of some hosts, e-mail addresses and telephone numbers a request names. */
  namedOutsiders(request: string, outsiders: Outsider[]): boolean[];
}

/** The calls that parse pages and other files. */
export type PageCalls = FormatCalls & SiteCalls;

/**
 * All that knows pages, for one piece of work: its calls wait for a thread in their organization's
 * queue, and end with its signal. Each runs in a thread, so that a huge page never blocks the API.
 */
export interface Pages extends InThreads<PageCalls>, Omit<PathRules, 'handles' | 'label'> {
  /** Whether a path is a page of a known format. */
  isPage(path: string): boolean;
}

/** The threads that read pages. Its own calls are the service's own work. */
export type PagesPool = Pooled<Pages>;
