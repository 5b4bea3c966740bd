import { DomainError } from '../../errors.ts';
import { checkOtherFile } from '../checks/checkOtherFile.ts';
import { knownKeys } from '../checks/keysOfFile.ts';
import { askedDoubles, namedOutsiders } from '../checks/namedOutsiders.ts';
import { outsidersGained } from '../checks/outsidersInFile.ts';
import { editFile } from '../files/editFile.ts';
import type { PageFormat, PageSource, Part } from '../formats/format.ts';
import { formats } from '../formats/formats.ts';
import { editRedirects } from '../redirects/editRedirects.ts';
import { readHostFiles } from '../redirects/hostFiles.ts';
import { mergeRedirects } from '../redirects/mergeRedirects.ts';
import { partOf, partOfChange, pathIn } from './callParts.ts';
import { listPages } from './listPages.ts';
import type { PageCalls } from './pages.ts';
import { showsAny } from './shownTexts.ts';
import { updateSitemap } from './sitemap.ts';
import { plainText } from './slotText.ts';
import { standing } from './standingNotes.ts';
import { planTargets } from './planTargets.ts';
import { textChanges } from './textChanges.ts';

type Call = (...args: unknown[]) => unknown;

/**
 * Makes the calls for pages of some formats. A file of no known format is read in the first format.
 */
export function createCalls(known: [PageFormat, ...PageFormat[]]): PageCalls {
  const pageFormat = (path: string) => known.find(({ paths }) => paths.handles(path));
  const formatAt = (path: string) => pageFormat(path) ?? known[0];
  const inFormat =
    (call: string, part: Part): Call =>
    (...args) =>
      (partAt(formatAt(pathIn(args) ?? ''), part) as unknown as Record<string, Call>)[call]!(
        ...args,
      );
  const slotsOf = (page: PageSource | null) =>
    page ? formatAt(page.path).core.read({ path: page.path, source: page.source }).slots : [];
  const textsOf = (page: PageSource) => formatAt(page.path).core.readTexts(page).texts;
  const ofFormats = Object.entries(partOf).flatMap(([call, part]) =>
    part ? [[call, inFormat(call, part)]] : [],
  );

  return {
    ...(Object.fromEntries(ofFormats) as PageCalls),
    rebuild: (page, change) =>
      inFormat('rebuild', partOfChange[change.kind])(page, change) as never,
    linkingPages: (pages, slug) =>
      [...Map.groupBy(pages, ({ path }) => formatAt(path))].flatMap(([{ core }, own]) =>
        core.linkingPages(own, slug),
      ),
    gainedOutsiders: (file, before) =>
      pageFormat(file.path)?.core.gainedOutsiders(file, before) ?? outsidersGained(file, before),
    knownKeys: (file, keys) =>
      pageFormat(file.path)?.core.knownKeys(file, keys) ?? knownKeys(file, keys),
    compare: (after, before) => textChanges(slotsOf(before), slotsOf(after)),
    showsAny: (page, texts) =>
      showsAny(
        slotsOf(page).map(({ text }) => plainText(text)),
        texts,
      ),
    standing: ({ written, page }, notes) =>
      standing({ written: textsOf(written), now: textsOf(page) }, notes),
    listPages,
    planTargets,
    editRedirects,
    mergeRedirects: ({ path }, versions) => mergeRedirects(path, versions),
    readHostFiles,
    updateSitemap: ({ source }, changes) => updateSitemap(source, changes),
    editFile,
    checkFile: checkOtherFile,
    namedOutsiders,
    askedDoubles,
  };
}

function partAt(format: PageFormat, part: Part) {
  const found = format[part];
  if (!found)
    throw new DomainError('INVALID_INPUT', `A page of ${format.paths.label} has no ${part}`);
  return found;
}

/** The calls that run in worker threads (pagesWorker.ts). */
export const calls = createCalls(formats);
