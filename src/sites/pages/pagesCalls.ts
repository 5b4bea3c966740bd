import { checkOtherFile } from '../checks/checkOtherFile.ts';
import { knownKeys } from '../checks/keysOfFile.ts';
import { askedDoubles, namedOutsiders } from '../checks/namedOutsiders.ts';
import { outsidersGained } from '../checks/outsidersInFile.ts';
import { editFile } from '../files/editFile.ts';
import type { FormatCalls, PageFormat, PageSource } from '../formats/format.ts';
import { formats } from '../formats/formats.ts';
import { editRedirects } from '../redirects/editRedirects.ts';
import { type HostFileVersions, mergeRedirects } from '../redirects/mergeRedirects.ts';
import { readRedirects } from '../redirects/readRedirects.ts';
import { pathIn } from './calledFile.ts';
import { listedSlugs } from './listedSlugs.ts';
import { listPages } from './listPages.ts';
import { showsAny } from './shownTexts.ts';
import { type SitemapChanges, updateSitemaps } from './sitemap.ts';
import { plainLine } from './slotText.ts';
import { type NotedValues, standing } from './standingNotes.ts';
import { planTargets } from './planTargets.ts';
import { type TextChange, textChanges } from './textChanges.ts';

/**
 * Makes the calls for pages of some formats, and for files that are not pages. A file of no known
 * format is read in the first format.
 */
export function createCalls(known: [PageFormat, ...PageFormat[]]) {
  const pageFormat = (path: string) => known.find(({ paths }) => paths.handles(path));
  const callsAt = (path: string) => (pageFormat(path) ?? known[0]).calls;
  const slotsOf = (page: PageSource | null) => (page ? callsAt(page.path).read(page).slots : []);
  const textsOf = (page: PageSource) => callsAt(page.path).readTexts(page).texts;
  const inFormat =
    (name: string) =>
    (...args: never[]): unknown =>
      (callsAt(pathIn(args) ?? '') as unknown as Record<string, ReturnType<typeof inFormat>>)[
        name
      ]!(...args);
  const ofFormats = Object.keys(known[0].calls).map((name) => [name, inFormat(name)]);

  return {
    ...(Object.fromEntries(ofFormats) as FormatCalls),
    linkingPages: (pages: PageSource[], slug: string) =>
      [...Map.groupBy(pages, ({ path }) => callsAt(path))].flatMap(([calls, own]) =>
        calls.linkingPages(own, slug),
      ),
    gainedOutsiders: (file: PageSource, before: string) =>
      pageFormat(file.path)?.calls.gainedOutsiders(file, before) ?? outsidersGained(file, before),
    knownKeys: (file: PageSource, keys: string[]) =>
      pageFormat(file.path)?.calls.knownKeys(file, keys) ?? knownKeys(file, keys),
    /** The texts that differ between two versions of a page. null: that version has no page. */
    compare: (after: PageSource | null, before: PageSource | null): TextChange[] =>
      textChanges(slotsOf(before), slotsOf(after)),
    /** Whether a page shows any of some texts. Only letters and digits are compared. */
    showsAny: (page: PageSource, texts: string[]) =>
      showsAny(
        slotsOf(page).map(({ text }) => plainLine(text)),
        texts,
      ),
    /**
     * Whether a page still has the problem of each note on a former version; null if its texts
     * can't tell.
     */
    standing: (
      { written, page }: { written: PageSource; page: PageSource },
      notes: NotedValues[],
    ) => standing({ written: textsOf(written), now: textsOf(page) }, notes),
    listPages,
    listedSlugs,
    planTargets,
    editRedirects,
    mergeRedirects: ({ path }: { path: string }, versions: HostFileVersions) =>
      mergeRedirects(path, versions),
    readRedirects,
    updateSitemaps: ({ files }: { path: string; files: PageSource[] }, changes: SitemapChanges) =>
      updateSitemaps(files, changes),
    editFile,
    checkFile: checkOtherFile,
    namedOutsiders,
    askedDoubles,
  };
}

/** The calls that run in worker threads (pagesWorker.ts). They parse files, and are pure. */
export const calls = createCalls(formats);
export type PageCalls = typeof calls;
