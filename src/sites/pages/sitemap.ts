import { endingOf, parseReference, slugOfUrl } from './urls.ts';

export interface SitemapChanges {
  /**
   * New pages. One that the sitemap has already stays as it is. `path` tells a folder's page, whose address may end in
   * its own way.
   */
  added: { slug: string; path?: string }[];
  /** Pages that are gone, by slug. */
  removed: { slug: string }[];
  /** ISO 8601 date or time for new entries where their neighbours have one; without it a new entry has none. */
  lastmod?: string;
}

interface Entry {
  /** The entry with the white space before it. */
  lead: string;
  text: string;
  loc: string;
  slug: string;
}

/**
 * A sitemap after pages came and went. New entries are written as those of their neighbours (the pages of the same
 * folder, else all): origin, ending, elements and indentation. Every other byte stays. A sitemap index, or one without
 * any entry to learn from, stays as it is.
 */
export function updateSitemap(source: string, { added, removed, lastmod }: SitemapChanges): string {
  const { head, entries, tail } = takeApart(source);
  if (entries.length === 0) return source;
  const gone = new Set(removed.map(({ slug }) => slug).filter((slug) => !added.some((page) => page.slug === slug)));
  const kept = entries.filter(({ slug }) => !gone.has(slug));
  for (const page of added) if (!kept.some(({ slug }) => slug === page.slug)) insert(kept, page, entries, lastmod);
  return head + kept.map(({ lead, text }) => lead + text).join('') + tail;
}

/** The origin that most entries have, e.g. `https://example.com`, null for a sitemap without entries. */
export function siteOrigin(source: string): string | null {
  return most(takeApart(source).entries.map(({ loc }) => originOf(loc))) ?? null;
}

const originOf = (loc: string) => {
  const { scheme, authority } = parseReference(loc);
  return scheme + authority;
};

/** An entry, or a comment that is passed over whatever it holds. */
const pattern = /<!--[\s\S]*?-->|(\s*)(<url(?:\s[^>]*)?>[\s\S]*?<\/url\s*>)/g;
const locPattern = /(<loc(?:\s[^>]*)?>\s*)((?:<!\[CDATA\[)?)([^<\]]*?)((?:\]\]>)?\s*<\/loc\s*>)/;

function takeApart(source: string): { head: string; entries: Entry[]; tail: string } {
  const entries: Entry[] = [];
  let head = '';
  let end = 0;
  for (const match of source.matchAll(pattern)) {
    const [all, lead, text] = match;
    const loc = text === undefined ? undefined : locPattern.exec(text)?.[3];
    if (lead === undefined || text === undefined || loc === undefined) continue;
    const between = source.slice(end, match.index);
    if (entries.length === 0) head = between;
    const url = unescape(loc.trim());
    entries.push({ lead: (entries.length === 0 ? '' : between) + lead, text, loc: url, slug: '' });
    end = match.index + all.length;
  }
  const prefix = prefixOf(entries);
  for (const entry of entries) entry.slug = slugOfUrl(parseReference(entry.loc).path.slice(prefix.length) || '/');
  return { head, entries, tail: source.slice(end) };
}

/** The folder that the site lies in on its host: that of the shortest address, where all others lie below it. */
function prefixOf(entries: Entry[]): string {
  const paths = entries.map(({ loc }) => parseReference(loc).path);
  const [shortest = ''] = [...paths].sort((a, b) => a.length - b.length);
  const folder = shortest.replace(/(\/index\.html?|\/)$/, '');
  const isHome = /(\/index\.html?|\/)$/.test(shortest) || shortest === '';
  return isHome && paths.length > 1 && paths.every((path) => path === folder || path.startsWith(`${folder}/`))
    ? folder
    : '';
}

function insert(
  kept: Entry[],
  { slug, path: file }: { slug: string; path?: string },
  known: Entry[],
  lastmod: string | undefined,
) {
  const models = neighbours(slug, known);
  const model = models.at(-1);
  if (!model) return;
  const ending = endingFor(file, models) ?? endingFor(file, known) ?? '';
  const { path } = parseReference(model.loc);
  const prefix = path.slice(0, path.length - endingOf(path).length - encodedLength(path, model.slug));
  const loc = originOf(model.loc) + prefix + encodeURI(slug) + ending;
  const position = kept.findLastIndex((entry) => folderOf(entry.slug) === folderOf(slug));
  const lead = (known.indexOf(model) > 0 ? model.lead : known[1]?.lead) ?? model.lead;
  kept.splice(position < 0 ? kept.length : position + 1, 0, {
    lead: plainLead(lead),
    text: render(model.text, loc, lastmod),
    loc,
    slug,
  });
}

/** White space alone: a comment before the model's entry is about that one. */
const plainLead = (lead: string) => /\s*$/.exec(lead)?.[0] ?? '';

/** How long a slug is as the end of a URL path, which may be percent-encoded. */
function encodedLength(path: string, slug: string): number {
  const bare = path.slice(0, path.length - endingOf(path).length);
  if (slug === '/') return 0;
  const depth = slug.split('/').length - 1;
  return bare.split('/').slice(-depth).join('/').length + 1;
}

const folderOf = (slug: string) => slug.slice(0, slug.lastIndexOf('/'));

/**
 * Entries to learn from: the pages of the same folder, else all but the home page, whose address ends in its own way.
 */
function neighbours(slug: string, entries: Entry[]): Entry[] {
  const others = entries.filter((entry) => entry.slug !== '/');
  const near = others.filter((entry) => folderOf(entry.slug) === folderOf(slug));
  return near.length > 0 ? near : others.length > 0 ? others : entries;
}

/**
 * How addresses of such a file end: those of folders in `/` or not at all, others in `.html` or not at all, unless all
 * end alike.
 */
function endingFor(file: string | undefined, models: Entry[]): string | undefined {
  const endings = models.map(({ loc }) => endingOf(parseReference(loc).path));
  if (file === undefined || new Set(endings).size < 2) return most(endings);
  const isFolder = /(^|\/)index\.html?$/.test(file);
  return most(endings.filter((ending) => isFolder === (ending === '/' || ending.startsWith('/index'))));
}

function most(values: string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** A model's entry for another page: its alternates, images and other extensions are its own, and go. */
function render(model: string, loc: string, lastmod: string | undefined): string {
  const bare = model
    .replace(/\s*<!--[\s\S]*?-->/g, '')
    .replace(/\s*<([a-z]+:[a-z]+)\b[^>]*?(\/>|>[\s\S]*?<\/\1\s*>)/gi, '')
    .replace(
      locPattern,
      (_, open: string, cdata: string, _loc, close: string) => open + cdata + (cdata ? loc : escape(loc)) + close,
    );
  return lastmod === undefined
    ? bare.replace(/\s*<lastmod>[\s\S]*?<\/lastmod\s*>/, '')
    : bare.replace(/(<lastmod>\s*)([^<\s]*)/, (_, open: string, old: string) => open + dated(old, lastmod));
}

/** A date as long as its model: a day, or a time. */
const dated = (model: string, lastmod: string) =>
  model.includes('T') && lastmod.includes('T') ? lastmod : lastmod.slice(0, 10);

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&apos;', '"': '&quot;' };
const escape = (text: string) => text.replace(/[&<>'"]/g, (c) => entities[c] ?? c);
const unescape = (text: string) =>
  Object.entries(entities).reduceRight((all, [plain, entity]) => all.replaceAll(entity, plain), text);
