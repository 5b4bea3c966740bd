import { checkOtherFile } from '../checks/checkOtherFile.ts';
import { knownFileKeys } from '../checks/knownKeys.ts';
import { findNamedIds } from '../checks/namedIds.ts';
import { checkRequestedDuplicates, checkNamedReferences } from '../checks/requestedAdditions.ts';
import { referencesAddedToFile } from '../checks/fileReferences.ts';
import { splitDataFile } from '../dataFiles/entrySources.ts';
import { sampleEntries } from '../dataFiles/sampleEntries.ts';
import { spliceDataFile } from '../dataFiles/spliceDataFile.ts';
import { editFile } from '../files/editFile.ts';
import { createValueFinder } from '../../contract/text/containedValues.ts';
import type { FormatCalls, LinkBlockQuery, PageFormatPort, PageSource } from '../formats/format.ts';
import { noSideEffects } from '../formats/checkResult.ts';
import { formats } from '../formats/formats.ts';
import { editRedirects } from '../redirects/editRedirects.ts';
import { type HostFileVersions, mergeRedirects } from '../redirects/mergeRedirects.ts';
import { readRedirects } from '../redirects/readRedirects.ts';
import { calledPath } from './calledFile.ts';
import { listedSlugs } from './listing/listedSlugs.ts';
import { listPagePaths } from './listing/listPages.ts';
import { showsAny } from './texts/shownTexts.ts';
import { type SitemapChanges, updateSitemaps } from './sitemap/updateSitemap.ts';
import { plainLine } from './texts/slotText.ts';
import { type NotedValues, checkStanding } from './texts/checkStanding.ts';
import { pageUrlPath } from './generators/pageUrlPath.ts';
import { proposeUrlRule } from './generators/proposeUrlRule.ts';
import { readSitemapPaths } from './generators/sitemapPaths.ts';
import { planTargets } from './listing/planTargets.ts';
import { compareWithTemplate } from './texts/compareWithTemplate.ts';
import { type PageTextChange, diffPageTexts } from './texts/diffPageTexts.ts';

/**
 * Makes the calls: the functions that parse pages and other files. A call goes to the format of the
 * file in its arguments, such as HTML, or to the first format if no format knows the file.
 * `read({ path: 'about.html', source })` → the page's title and its texts. In the names of calls,
 * an outsider is an external reference, and a key names a feature or a reference, such as
 * `class card` or `host partner.example`.
 */
export function createPageCalls(pageFormats: [PageFormatPort, ...PageFormatPort[]]) {
  const pageFormat = (path: string) => pageFormats.find(({ paths }) => paths.handles(path));
  const callsAt = (path: string) => (pageFormat(path) ?? pageFormats[0]).calls;
  const readSlots = (page: PageSource | null) => (page ? callsAt(page.path).read(page).slots : []);
  const readEditableTexts = (page: PageSource) => callsAt(page.path).readTexts(page).texts;
  const callInFormat =
    (name: string) =>
    (...args: never[]): unknown =>
      (
        callsAt(calledPath(args) ?? '') as unknown as Record<
          string,
          ReturnType<typeof callInFormat>
        >
      )[name]!(...args);
  const formatCalls = Object.keys(pageFormats[0].calls).map((name) => [name, callInFormat(name)]);

  return {
    ...(Object.fromEntries(formatCalls) as FormatCalls),
    linkingPages: (pages: PageSource[], slug: string) =>
      [...Map.groupBy(pages, ({ path }) => callsAt(path))].flatMap(([calls, formatPages]) =>
        calls.linkingPages(formatPages, slug),
      ),
    sideEffects: (file: PageSource, oldSource: string) =>
      pageFormat(file.path)?.calls.sideEffects(file, oldSource) ?? {
        ...noSideEffects,
        externalReferences: referencesAddedToFile(file, oldSource),
      },
    knownKeys: (file: PageSource, keys: string[]) =>
      pageFormat(file.path)?.calls.knownKeys(file, keys) ?? knownFileKeys(file, keys),
    /**
     * The texts of blocks that link to other pages, such as cards: which of the values each block
     * has, and the slots of the block. Both are empty for a page to which no block links.
     */
    locateInBlocks: (
      { page, siblings }: Pick<LinkBlockQuery, 'page' | 'siblings'>,
      wanted: { slug: string; values: string[] }[],
    ): { values: string[]; slots: string[] }[] =>
      wanted.map(({ slug, values }) => {
        const template = { slug, path: page.path, names: [] };
        const { block } = callsAt(page.path).linkBlock({ page, siblings, template });
        const slots = block?.slots ?? [];
        const isInBlock = createValueFinder(slots.map(({ text }) => plainLine(text)));
        return { values: values.filter(isInBlock), slots: slots.map(({ id }) => id) };
      }),
    /** The texts that differ between two versions of a page; null: the page does not exist then. */
    compare: (newPage: PageSource | null, oldPage: PageSource | null): PageTextChange[] =>
      diffPageTexts(readSlots(oldPage), readSlots(newPage)),
    /** What differs on each of several pages from their template. null: they have none. */
    compareAll: (page: PageSource, template: PageSource | null, others: PageSource[]) => {
      const templateSlots = readSlots(template);
      return [page, ...others].map((other) => compareWithTemplate(templateSlots, readSlots(other)));
    },
    /** Whether a page shows any of some texts. Only letters and digits are compared. */
    showsAny: (page: PageSource, texts: string[]) =>
      showsAny(
        readSlots(page).map(({ text }) => plainLine(text)),
        texts,
      ),
    /**
     * Whether a page still has the problem that each note reports. A person may have fixed it by
     * hand since the page was written. null if the page's texts can't tell.
     */
    standing: (
      { written, page }: { written: PageSource; page: PageSource },
      notes: NotedValues[],
    ) =>
      checkStanding({ written: readEditableTexts(written), now: readEditableTexts(page) }, notes),
    listPages: listPagePaths,
    listedSlugs,
    planTargets,
    pageUrlPath,
    proposeUrlRule,
    readSitemapPaths,
    editRedirects,
    mergeRedirects: ({ path }: { path: string }, versions: HostFileVersions) =>
      mergeRedirects(path, versions),
    readRedirects,
    updateSitemaps: ({ files }: { path: string; files: PageSource[] }, changes: SitemapChanges) =>
      updateSitemaps(files, changes),
    splitDataFile,
    spliceDataFile,
    sampleEntries: (dataFile: { path: string; files: PageSource[] }) =>
      sampleEntries(dataFile, readSlots),
    editFile,
    checkFile: checkOtherFile,
    findNamedIds,
    areReferencesNamed: checkNamedReferences,
    areDuplicatesRequested: checkRequestedDuplicates,
  };
}

/** The calls that run in worker threads (pagesWorker.ts). They parse files, and are pure. */
export const pageCalls = createPageCalls(formats);
export type PageCalls = typeof pageCalls;
