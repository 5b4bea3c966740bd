/**
 * Parses well-formed pages with regular expressions only, so that the service's own parser does not
 * judge itself.
 */

const parts = /<!--[\s\S]*?-->|<script\b[^>]*>[\s\S]*?<\/script>|<[^>]+>|[^<]+/g;
/**
 * Attributes that a reader or a search engine reads as text, and those that say where the page is.
 */
const texts = /((?:^|\s)(?:alt|title|aria-label|placeholder)=")[^"]*(?=")/g;
const metaText =
  /^(<meta (?:name|property)="(?:description|(?:og|twitter):(?:title|description|image:alt|url))" content=")[^"]*(?=")/;
const canonical = /^(<link rel="canonical" href=")[^"]*(?=")/;

/**
 * All of a page but its texts and its own address, in order: what must be the template's to the
 * last byte.
 */
export function skeleton(source: string): string[] {
  return [...source.matchAll(parts)].map(([part]) => {
    if (part.startsWith('<script') && part.includes('ld+json')) return withoutStrings(part);
    if (!part.startsWith('<')) return part.replace(/\S[\s\S]*\S|\S/, 'text');
    return part.replace(metaText, '$1').replace(canonical, '$1').replace(texts, '$1');
  });
}

/**
 * JSON with layout, keys, types and numbers, but of its strings only the values of `@type`,
 * `@context` and images.
 */
const withoutStrings = (script: string) =>
  script.replace(/("(?!@type|@context|image)[^"]*": )"(?:[^"\\]|\\.)*"/g, '$1""');

export const textOf = (source: string, pattern: RegExp): string =>
  pattern
    .exec(source)?.[1]
    ?.replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
    .trim() ?? '';
export const titleOf = (source: string) => textOf(source, /<title>([\s\S]*?)<\/title>/);
export const headlineOf = (source: string) => textOf(source, /<h1\b[^>]*>([\s\S]*?)<\/h1>/);
export const canonicalOf = (source: string) =>
  textOf(source, /<link rel="canonical" href="([^"]*)"/);
export const ogUrlOf = (source: string) =>
  textOf(source, /<meta property="og:url" content="([^"]*)"/);
export const locationsOf = (sitemap: string) =>
  [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, loc]) => loc!);
