import type { InThreads, Pooled } from '../../threads/callsInThreads.ts';
import type { EditedFile, FileEdit } from '../files/editFile.ts';
import type { Doubled, Outsider } from '../formats/faults.ts';
import type { FormatCalls, PageSource, PathRules } from '../formats/format.ts';
import type { EditedRedirects } from '../redirects/editRedirects.ts';
import type { HostFileVersions } from '../redirects/mergeRedirects.ts';
import type { AddressChange } from '../redirects/planRedirects.ts';
import type { PreparedRule } from '../redirects/redirects.ts';
import type { SitemapChanges } from './sitemap.ts';
import type { NotedValues } from './standingNotes.ts';
import type { Target, Wanted } from './planTargets.ts';
import type { TextChange } from './textChanges.ts';

/**
 * Calls that are the same for pages of every format, or about files that are not pages. Every call
 * is pure.
 */
export interface SiteCalls {
  /**
   * Whether a page still has the problem of each note on a former version; null if its texts can't
   * tell.
   */
  standing(
    page: { written: PageSource; page: PageSource },
    notes: NotedValues[],
  ): (boolean | null)[];
  /** The texts that differ between two versions of a page. null: that version has no page. */
  compare(after: PageSource | null, before: PageSource | null): TextChange[];
  /**
   * Whether a page shows any of some texts. Only letters and digits are compared: site generators
   * change quotes, dashes and white space.
   */
  showsAny(page: PageSource, texts: string[]): boolean;
  /**
   * The site's pages: one file for each slug, sorted by slug. If two files have one slug, it is the
   * file that visitors get.
   * @param files as `fileNames` returns them
   * @returns paths, joined with NUL
   */
  listPages(files: string): string;
  /** The files for requested pages: see `planTargets`. */
  planTargets(files: string, wanted: Wanted): Target[];
  /** The sitemap after pages were added and removed. */
  updateSitemap(sitemap: PageSource, changes: SitemapChanges): string;
  /** Leads old addresses on in a host's file. Throws INVALID_INPUT if it can't be changed. */
  editRedirects(file: PageSource, change: AddressChange): EditedRedirects;
  /** Reads the redirects of a site's host files, by their paths. */
  readHostFiles(sources: ReadonlyMap<string, string>): PreparedRule[];
  /** Merges a host's file that a task and others changed; null if they contradict each other. */
  mergeRedirects(file: { path: string }, versions: HostFileVersions): string | null;
  /**
   * Replaces a text in a file. Throws INVALID_INPUT if the text does not occur exactly once, or
   * must not be edited.
   */
  editFile(file: PageSource, edit: FileEdit): EditedFile;
  /**
   * Checks an agent's change to a file that is not a page. Throws INVALID_INPUT.
   * @returns hosts and addresses outside of the site that the former version did not name
   */
  checkFile(file: { path: string; before: string | null; after: string | null }): Outsider[];
  /** For each host, e-mail address and telephone number: whether a request names it. */
  namedOutsiders(request: string, outsiders: Outsider[]): boolean[];
  /** For each link that stands twice: whether a request asks for it. */
  askedDoubles(request: string, doubles: Doubled[]): boolean[];
}

/** The calls that parse pages and other files. */
export type PageCalls = FormatCalls & SiteCalls;

/**
 * Everything that parses pages, for one piece of work. Its calls wait for a thread in the
 * organization's queue, and end with the work's signal. They run in threads, so that a huge page
 * never blocks the API.
 */
export interface Pages extends InThreads<PageCalls>, Omit<PathRules, 'handles' | 'label'> {
  /** Whether a path is a page of a known format. */
  isPage(path: string): boolean;
}

/** The threads that parse pages. Calls made on the pool itself count as the service's own work. */
export type PagesPool = Pooled<Pages>;
