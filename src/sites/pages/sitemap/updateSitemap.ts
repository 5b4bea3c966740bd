import type { PageSource } from '../../formats/format.ts';
import { hasGeneratorCode } from '../../formats/generatorCode.ts';
import { decodeUrlPart, urlEnding, parseReference, slugFolder, slugOfUrl } from '../urls/urls.ts';
import { findElements, withoutElements } from './xmlElements.ts';

/** A page that gets an entry. `path`: its file in the repository. */
interface NewSitemapPage {
  slug: string;
  path?: string;
}

/** What changed in the site's pages. */
export interface SitemapChanges {
  /**
   * Pages to add. A page that the sitemap already has keeps its entry. `path` shows whether the
   * page is a folder's index, whose URL may have another ending.
   */
  added: NewSitemapPage[];
  /** Removed pages, by slug. */
  removed: { slug: string }[];
  /**
   * ISO 8601 date or time for new entries whose neighbours have one. Without it, new entries have
   * no date.
   */
  lastmod?: string;
}

/** An entry of a sitemap: `<url><loc>https://acme.example/about</loc></url>`. */
interface SitemapEntry {
  /** The white space before the entry. */
  lead: string;
  text: string;
  loc: string;
  slug: string;
}

/** A parsed sitemap: what precedes its entries, the entries, and what follows them. */
interface Sitemap extends PageSource {
  head: string;
  entries: SitemapEntry[];
  tail: string;
}

/**
 * Updates a site's sitemaps after pages were added and removed. A new page gets an entry in the
 * sitemap that has the most pages of its folder. The entry is a copy of another one of the same
 * folder, or else of the site, with its own URL and date. An index of sitemaps gets new dates. All
 * other bytes stay, and so does a sitemap without entries to copy, or with template code, by which
 * a generator lists the pages.
 * @returns the sitemaps that change
 */
export function updateSitemaps(files: PageSource[], changes: SitemapChanges): PageSource[] {
  const sitemaps = files
    .filter(({ source }) => !hasGeneratorCode(source))
    .map((file): Sitemap => ({ ...file, ...parseSitemap(file.source) }));
  const all = sitemaps.flatMap(({ entries }) => entries);
  setSlugs(all);
  const listed = new Set(all.map(({ slug }) => slug));
  const added = new Map(changes.added.map((page) => [page.slug, page]));
  const places = Map.groupBy(
    [...added.values()].filter(({ slug }) => !listed.has(slug)),
    createSitemapChooser(sitemaps),
  );
  const removed = changes.removed.filter(({ slug }) => !added.has(slug));
  const changed = sitemaps.flatMap((sitemap): PageSource[] => {
    const source = updated(sitemap, { ...changes, added: places.get(sitemap) ?? [], removed });
    return source === sitemap.source ? [] : [{ path: sitemap.path, source }];
  });
  const dated = sitemaps.flatMap(({ path, source, entries }): PageSource[] => {
    const index = entries.length > 0 ? source : withDates(source, changed, changes.lastmod);
    return index === source ? [] : [{ path, source: index }];
  });
  return [...changed, ...dated];
}

/** Sitemaps that list only pages with pictures, videos or news. */
const partial = /image|video|news/i;

/**
 * Makes a function that chooses the sitemap for a new page: the one with the most pages of its
 * folder, or of a folder above. The pages of each folder are counted once.
 */
function createSitemapChooser(sitemaps: Sitemap[]) {
  const usable = sitemaps.filter(({ path, entries }) => entries.length > 0 && !partial.test(path));
  const folderCounts = usable.map(({ entries }) => countValues(entries.map(folderOf)));
  return (page: NewSitemapPage): Sitemap | undefined => {
    for (let folder = folderOf(page); ; folder = slugFolder(folder)) {
      const counts = folderCounts.map((count) => count.get(folder) ?? 0);
      const most = Math.max(0, ...counts);
      if (most > 0 || folder === '') return usable[counts.indexOf(most)];
    }
  };
}

/** An index of sitemaps, with the date `lastmod` for those that change. */
function withDates(source: string, changed: PageSource[], lastmod: string | undefined): string {
  if (lastmod === undefined || changed.length === 0) return source;
  let result = '';
  let from = 0;
  for (const { start, end, name } of findElements(source, /<!--|<(sitemap)(?:\s[^<>]*)?>/g)) {
    const text = source.slice(start, end);
    const loc = name === undefined ? undefined : locPattern.exec(text)?.[2];
    const path = decodeUrlPart(parseReference(unescapeXml(loc?.trim() ?? '')).path);
    const isChanged = changed.some((file) => path === file.path || path.endsWith(`/${file.path}`));
    result += source.slice(from, start) + (isChanged ? withDate(text, lastmod) : text);
    from = end;
  }
  return result + source.slice(from);
}

const withDate = (text: string, lastmod: string) =>
  text.replace(
    /(<lastmod>\s*)([^<\s]*)/,
    (_, open: string, old: string) => open + formatDate(old, lastmod),
  );

function updated(
  { source, head, entries, tail }: Sitemap,
  { added, removed, lastmod }: SitemapChanges,
): string {
  if (entries.length === 0) return source;
  const removedSlugs = new Set(removed.map(({ slug }) => slug));
  const keptEntries = entries.filter(({ slug }) => !removedSlugs.has(slug));
  const all = insertEntries(keptEntries, added.map(createEntryWriter(entries, lastmod)));
  return head + all.map(({ lead, text }) => lead + text).join('') + tail;
}

/** Inserts each new entry after the last one of its folder, or at the end. */
function insertEntries(keptEntries: SitemapEntry[], added: SitemapEntry[]): SitemapEntry[] {
  const pendingEntries = Map.groupBy(added, folderOf);
  const lastEntries = new Map(keptEntries.map((entry) => [folderOf(entry), entry]));
  const extendedEntries = keptEntries.flatMap((entry) => {
    const folder = folderOf(entry);
    if (lastEntries.get(folder) !== entry) return [entry];
    const folderEntries = pendingEntries.get(folder) ?? [];
    pendingEntries.delete(folder);
    return [entry, ...folderEntries];
  });
  return [...extendedEntries, ...[...pendingEntries.values()].flat()];
}

const urlOrigin = (loc: string) => {
  const { scheme, authority } = parseReference(loc);
  return scheme + authority;
};

/** The beginning of an entry, or of a comment. Comments are skipped, whatever they contain. */
const entryOpening = /<!--|<(url)(?:\s[^<>]*)?>/g;
const locPattern = /(<loc(?:\s[^<>]*)?>(?:\s*<!\[CDATA\[)?)([^<\]]*)(?=(?:\]\]>\s*)?<\/loc\s*>)/;

function parseSitemap(source: string): { head: string; entries: SitemapEntry[]; tail: string } {
  const entries: SitemapEntry[] = [];
  let head = '';
  let end = 0;
  for (const element of findElements(source, entryOpening)) {
    const text = source.slice(element.start, element.end);
    const loc = element.name === undefined ? undefined : locPattern.exec(text)?.[2];
    if (loc === undefined) continue;
    const gapText = source.slice(end, element.start);
    if (entries.length === 0) head = gapText.trimEnd();
    const lead = gapText.slice(entries.length === 0 ? head.length : 0);
    entries.push({ lead, text, loc: unescapeXml(loc.trim()), slug: '' });
    end = element.end;
  }
  return { head, entries, tail: source.slice(end) };
}

function setSlugs(entries: SitemapEntry[]) {
  const prefix = findUrlPrefix(entries);
  for (const entry of entries)
    entry.slug = slugOfUrl(parseReference(entry.loc).path.slice(prefix.length) || '/');
}

/**
 * The URL folder of the site on its host, such as `/shop`: the path of the shortest URL, if that is
 * a home page and all other URLs are below it.
 */
function findUrlPrefix(entries: SitemapEntry[]): string {
  const paths = entries.map(({ loc }) => parseReference(loc).path);
  const [shortest = ''] = [...paths].sort((first, second) => first.length - second.length);
  const folder = shortest.replace(/(\/index\.html?|\/)$/, '');
  const isHome = /(\/index\.html?|\/)$/.test(shortest) || shortest === '';
  const areBelow = paths.every((path) => path === folder || path.startsWith(`${folder}/`));
  return isHome && paths.length > 1 && areBelow ? folder : '';
}

/**
 * Makes a function that writes new entries like those of the same folder, or else like all entries
 * but the home page's, whose URL has another ending.
 */
function createEntryWriter(entries: SitemapEntry[], lastmod: string | undefined) {
  const otherEntries = entries.filter((entry) => entry.slug !== '/');
  const folders = Map.groupBy(otherEntries, folderOf);
  const folderModels = new Map(
    [...folders].map(([name, folderEntries]) => [name, chooseModel(folderEntries)]),
  );
  const siteModel = chooseModel(entries);
  const otherModel = otherEntries.length > 0 ? chooseModel(otherEntries) : siteModel;
  return ({ slug, path: file }: NewSitemapPage): SitemapEntry => {
    const { entry: model, endings } = folderModels.get(slugFolder(slug)) ?? otherModel;
    const kind = fileKindOfPath(file);
    const { path } = parseReference(model.loc);
    const prefix = prefixBefore(path, model.slug);
    const loc =
      urlOrigin(model.loc) +
      prefix +
      encodeURI(slug) +
      (endings[kind] ?? siteModel.endings[kind] ?? '');
    const lead = (model === entries[0] ? entries[1]?.lead : model.lead) ?? model.lead;
    return { lead: plainLead(lead), text: renderEntry(model.text, loc, lastmod), loc, slug };
  };
}

/** The white space before an entry, without comments, which are about the copied entry. */
const plainLead = (lead: string) => lead.slice(lead.trimEnd().length);

/** The part of a URL path before a slug. The slug may be percent-encoded in the path. */
function prefixBefore(path: string, slug: string): string {
  const pathWithoutEnding = path.slice(0, path.length - urlEnding(path).length);
  if (slug === '/') return pathWithoutEnding;
  const depth = slug.split('/').length - 1;
  return pathWithoutEnding.slice(
    0,
    pathWithoutEnding.length - pathWithoutEnding.split('/').slice(-depth).join('/').length - 1,
  );
}

const folderOf = ({ slug }: { slug: string }) => slugFolder(slug);

type SitemapFileKind = 'folder' | 'file' | 'unknown';

const fileKindOfPath = (file: string | undefined): SitemapFileKind =>
  file === undefined ? 'unknown' : /(^|\/)index\.html?$/i.test(file) ? 'folder' : 'file';

/**
 * The model for new entries: the last entry, and the URL ending for a kind of file. Folders' URLs
 * end in `/` or nothing, others in `.html` or nothing, unless all end alike.
 */
function chooseModel(entries: SitemapEntry[]): {
  entry: SitemapEntry;
  endings: Record<SitemapFileKind, string | undefined>;
} {
  const entry = entries.at(-1)!;
  const urlEndings = entries.map(({ loc }) => urlEnding(parseReference(loc).path));
  const unknown = mostCommon(urlEndings);
  if (urlEndings.every((ending) => ending === unknown))
    return { entry, endings: { folder: unknown, file: unknown, unknown } };
  const folder = mostCommon(urlEndings.filter(isFolderEnding));
  const file = mostCommon(urlEndings.filter((ending) => !isFolderEnding(ending)));
  return { entry, endings: { folder, file, unknown } };
}

const isFolderEnding = (ending: string) => ending === '/' || ending.startsWith('/index');

const mostCommon = (values: string[]): string | undefined =>
  [...countValues(values)].sort((first, second) => second[1] - first[1])[0]?.[0];

function countValues(values: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/**
 * Copies an entry for another page. Its alternates, images and other extensions are about the old
 * page, so they are removed.
 */
function renderEntry(model: string, loc: string, lastmod: string | undefined): string {
  const entryText = withoutElements(model, /<!--|<([a-z]+:[a-z]+)\b[^<>]*>/gi).replace(
    locPattern,
    (_, open: string, oldText: string) =>
      open + oldText.replace(oldText.trim(), () => (open.endsWith('[') ? loc : escapeXml(loc))),
  );
  return lastmod === undefined
    ? withoutElements(entryText, /<(lastmod)>/g)
    : withDate(entryText, lastmod);
}

/** A date in the model's format: a day or a time. */
const formatDate = (model: string, lastmod: string) =>
  model.includes('T') && lastmod.includes('T') ? lastmod : lastmod.slice(0, 10);

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&apos;',
  '"': '&quot;',
};
const escapeXml = (text: string) =>
  text.replace(/[&<>'"]/g, (character) => entities[character] ?? character);
const unescapeXml = (text: string) =>
  Object.entries(entities).reduceRight(
    (unescaped, [character, entity]) => unescaped.replaceAll(entity, character),
    text,
  );
