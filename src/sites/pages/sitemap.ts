import type { PageSource } from '../formats/format.ts';
import { decode, endingOf, parseReference, slugOfUrl } from './urls.ts';
import { elementsIn, withoutElements } from './xmlElements.ts';

interface NewPage {
  slug: string;
  path?: string;
}

export interface SitemapChanges {
  /**
   * Pages to add. A page that the sitemap already has keeps its entry. `path` shows whether the
   * page is a folder's index, whose URL may have another ending.
   */
  added: NewPage[];
  /** Removed pages, by slug. */
  removed: { slug: string }[];
  /**
   * ISO 8601 date or time for new entries whose neighbours have one. Without it, new entries have
   * no date.
   */
  lastmod?: string;
}

interface Entry {
  /** The white space before the entry. */
  lead: string;
  text: string;
  loc: string;
  slug: string;
}

interface Sitemap extends PageSource {
  head: string;
  entries: Entry[];
  tail: string;
}

/**
 * Updates a site's sitemaps after pages were added and removed. A new page gets an entry in the
 * sitemap that has the most pages of its folder. New entries are modelled on those of the same
 * folder, else on all: origin, URL ending, elements and indentation. An index of sitemaps gets new
 * dates. All other bytes stay. A sitemap without entries to copy from stays as it is.
 * @returns the sitemaps that change
 */
export function updateSitemaps(files: PageSource[], changes: SitemapChanges): PageSource[] {
  const sitemaps = files.map((file): Sitemap => ({ ...file, ...takeApart(file.source) }));
  const all = sitemaps.flatMap(({ entries }) => entries);
  setSlugs(all);
  const listed = new Set(all.map(({ slug }) => slug));
  const added = new Map(changes.added.map((page) => [page.slug, page]));
  const places = Map.groupBy(
    [...added.values()].filter(({ slug }) => !listed.has(slug)),
    ({ slug }) => sitemapFor(sitemaps, slug),
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

/** The sitemap for a new page: the one with the most pages of its folder, or of a folder above. */
function sitemapFor(sitemaps: Sitemap[], slug: string): Sitemap | undefined {
  const usable = sitemaps.filter(({ path, entries }) => entries.length > 0 && !partial.test(path));
  for (let folder = folderOf(slug); ; folder = folderOf(folder)) {
    const counts = usable.map(
      ({ entries }) => entries.filter((entry) => folderOf(entry.slug) === folder).length,
    );
    const most = Math.max(0, ...counts);
    if (most > 0 || folder === '') return usable[counts.indexOf(most)];
  }
}

/** An index with the date of today for the sitemaps that change. */
function withDates(source: string, changed: PageSource[], lastmod: string | undefined): string {
  if (lastmod === undefined || changed.length === 0) return source;
  let result = '';
  let from = 0;
  for (const { start, end, name } of elementsIn(source, /<!--|<(sitemap)(?:\s[^<>]*)?>/g)) {
    const text = source.slice(start, end);
    const loc = name === undefined ? undefined : locPattern.exec(text)?.[2];
    const path = decode(parseReference(unescape(loc?.trim() ?? '')).path);
    const isChanged = changed.some((file) => path === file.path || path.endsWith(`/${file.path}`));
    result += source.slice(from, start) + (isChanged ? withDate(text, lastmod) : text);
    from = end;
  }
  return result + source.slice(from);
}

const withDate = (text: string, lastmod: string) =>
  text.replace(
    /(<lastmod>\s*)([^<\s]*)/,
    (_, open: string, old: string) => open + dated(old, lastmod),
  );

function updated(
  { source, head, entries, tail }: Sitemap,
  { added, removed, lastmod }: SitemapChanges,
): string {
  if (entries.length === 0) return source;
  const gone = new Set(removed.map(({ slug }) => slug));
  const kept = entries.filter(({ slug }) => !gone.has(slug));
  const all = insert(kept, added.map(creatorOf(entries, lastmod)));
  return head + all.map(({ lead, text }) => lead + text).join('') + tail;
}

/** Inserts each new entry after the last one of its folder, else at the end. */
function insert(kept: Entry[], added: Entry[]): Entry[] {
  const waiting = Map.groupBy(added, ({ slug }) => folderOf(slug));
  const last = new Map(kept.map((entry) => [folderOf(entry.slug), entry]));
  const grown = kept.flatMap((entry) => {
    const folder = folderOf(entry.slug);
    if (last.get(folder) !== entry) return [entry];
    const own = waiting.get(folder) ?? [];
    waiting.delete(folder);
    return [entry, ...own];
  });
  return [...grown, ...[...waiting.values()].flat()];
}

const originOf = (loc: string) => {
  const { scheme, authority } = parseReference(loc);
  return scheme + authority;
};

/** The beginning of an entry, or of a comment. Comments are skipped, whatever they contain. */
const opening = /<!--|<(url)(?:\s[^<>]*)?>/g;
const locPattern = /(<loc(?:\s[^<>]*)?>(?:\s*<!\[CDATA\[)?)([^<\]]*)(?=(?:\]\]>\s*)?<\/loc\s*>)/;

function takeApart(source: string): { head: string; entries: Entry[]; tail: string } {
  const entries: Entry[] = [];
  let head = '';
  let end = 0;
  for (const element of elementsIn(source, opening)) {
    const text = source.slice(element.start, element.end);
    const loc = element.name === undefined ? undefined : locPattern.exec(text)?.[2];
    if (loc === undefined) continue;
    const between = source.slice(end, element.start);
    if (entries.length === 0) head = between.trimEnd();
    const lead = between.slice(entries.length === 0 ? head.length : 0);
    entries.push({ lead, text, loc: unescape(loc.trim()), slug: '' });
    end = element.end;
  }
  return { head, entries, tail: source.slice(end) };
}

function setSlugs(entries: Entry[]) {
  const prefix = prefixOf(entries);
  for (const entry of entries)
    entry.slug = slugOfUrl(parseReference(entry.loc).path.slice(prefix.length) || '/');
}

/**
 * The URL folder of the site on its host: the folder of the shortest address, if all other
 * addresses are below it.
 */
function prefixOf(entries: Entry[]): string {
  const paths = entries.map(({ loc }) => parseReference(loc).path);
  const [shortest = ''] = [...paths].sort((a, b) => a.length - b.length);
  const folder = shortest.replace(/(\/index\.html?|\/)$/, '');
  const isHome = /(\/index\.html?|\/)$/.test(shortest) || shortest === '';
  const areBelow = paths.every((path) => path === folder || path.startsWith(`${folder}/`));
  return isHome && paths.length > 1 && areBelow ? folder : '';
}

/**
 * Makes a function that writes new entries like those of the same folder, else like all entries but
 * the home page's, whose URL has another ending.
 */
function creatorOf(known: Entry[], lastmod: string | undefined) {
  const others = known.filter((entry) => entry.slug !== '/');
  const folders = Map.groupBy(others, ({ slug }) => folderOf(slug));
  const near = new Map([...folders].map(([name, own]) => [name, modelOf(own)]));
  const whole = modelOf(known);
  const rest = others.length > 0 ? modelOf(others) : whole;
  return ({ slug, path: file }: NewPage): Entry => {
    const { entry: model, endings } = near.get(folderOf(slug)) ?? rest;
    const kind = kindOf(file);
    const { path } = parseReference(model.loc);
    const prefix = prefixBefore(path, model.slug);
    const loc =
      originOf(model.loc) + prefix + encodeURI(slug) + (endings[kind] ?? whole.endings[kind] ?? '');
    const lead = (model === known[0] ? known[1]?.lead : model.lead) ?? model.lead;
    return { lead: plainLead(lead), text: render(model.text, loc, lastmod), loc, slug };
  };
}

/** Only the white space: a comment before the copied entry is about that entry. */
const plainLead = (lead: string) => lead.slice(lead.trimEnd().length);

/** The part of a URL path before a slug. The slug may be percent-encoded in the path. */
function prefixBefore(path: string, slug: string): string {
  const bare = path.slice(0, path.length - endingOf(path).length);
  if (slug === '/') return bare;
  const depth = slug.split('/').length - 1;
  return bare.slice(0, bare.length - bare.split('/').slice(-depth).join('/').length - 1);
}

const folderOf = (slug: string) => slug.slice(0, slug.lastIndexOf('/'));

type FileKind = 'folder' | 'file' | 'unknown';

const kindOf = (file: string | undefined): FileKind =>
  file === undefined ? 'unknown' : /(^|\/)index\.html?$/i.test(file) ? 'folder' : 'file';

/**
 * The model for new entries: the last entry, and the URL ending for a kind of file. Folders' URLs
 * end in `/` or nothing, others in `.html` or nothing, unless all end alike.
 */
function modelOf(entries: Entry[]): {
  entry: Entry;
  endings: Record<FileKind, string | undefined>;
} {
  const entry = entries.at(-1)!;
  const found = entries.map(({ loc }) => endingOf(parseReference(loc).path));
  const unknown = most(found);
  if (found.every((ending) => ending === unknown))
    return { entry, endings: { folder: unknown, file: unknown, unknown } };
  const folder = most(found.filter(isOfFolder));
  const file = most(found.filter((ending) => !isOfFolder(ending)));
  return { entry, endings: { folder, file, unknown } };
}

const isOfFolder = (ending: string) => ending === '/' || ending.startsWith('/index');

function most(values: string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/**
 * Copies an entry for another page. Its alternates, images and other extensions are about the old
 * page, so they are removed.
 */
function render(model: string, loc: string, lastmod: string | undefined): string {
  const bare = withoutElements(model, /<!--|<([a-z]+:[a-z]+)\b[^<>]*>/gi).replace(
    locPattern,
    (_, open: string, old: string) =>
      open + old.replace(old.trim(), () => (open.endsWith('[') ? loc : escape(loc))),
  );
  return lastmod === undefined ? withoutElements(bare, /<(lastmod)>/g) : withDate(bare, lastmod);
}

/** A date in the model's format: a day or a time. */
const dated = (model: string, lastmod: string) =>
  model.includes('T') && lastmod.includes('T') ? lastmod : lastmod.slice(0, 10);

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&apos;',
  '"': '&quot;',
};
const escape = (text: string) => text.replace(/[&<>'"]/g, (c) => entities[c] ?? c);
const unescape = (text: string) =>
  Object.entries(entities).reduceRight(
    (all, [plain, entity]) => all.replaceAll(entity, plain),
    text,
  );
