import { DomainError } from '../../../errors.ts';
import { normalizeSlug } from '../../../sites/pages/slug.ts';
import { foldWords } from '../../text/fold.ts';
import type { PageName } from './instructions.ts';
import { QUOTE } from './quotes.ts';

const HOME = /^(?:home ?page|home|(?:front|start|index|root|main|landing) page|index|root)$/iu;
const SLUG = /^\/\S*$/;
const LIST = /, and | and |, ?/i;
const ARTICLE = /^(?:the|our|my) /iu;
const WORDS = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}'’&-]*(?: [\p{L}\p{M}\p{N}'’&-]+){0,7}$/u;
const NO_NAME =
  /^(?:but|except|not|only|keep|it|its|this|that|these|those|them|all|every|each|any|everything|the|a|an|pages?|old|new|other|first|second|last)\b/iu;

/** Reads `/a, the pricing page and "About us"`; null where a part of it names no page. */
export function readPageNames(text: string, quotes: string[]): PageName[] | null {
  const names = text.split(LIST).map((name) => readPageName(name, quotes));
  return names.every((name) => name !== null) ? names : null;
}

/** Reads how one page is named: a slug, a quoted or unquoted title, the home page. */
export function readPageName(text: string, quotes: string[]): PageName | null {
  const bare = text
    .trim()
    .replace(/^(?:(?:the|our|my) )?(?:pages? (?=[/\uE000])|pages? (?:called|titled|named|at) )?/iu, '');
  if (HOME.test(bare)) return { slug: '/' };
  const name = bare.replace(/(?<=.) pages?$/iu, '');
  const quoted = new RegExp(`^${QUOTE}$`, 'u').exec(name);
  const value = quoted ? quotes[Number(quoted[1])]! : name;
  if (SLUG.test(value)) return { slug: normalizeSlug(value) };
  if (quoted) return HOME.test(value) ? { slug: '/' } : { title: value };
  return WORDS.test(name) && !NO_NAME.test(name) ? { title: name } : null;
}

/**
 * Reads which pages to delete: slugs, the home page, and names that stand with the word `page`. A bare name or quote
 * may be a text that is to go from a page: null.
 */
export function readDeletedPages(text: string, quotes: string[]): PageName[] | null {
  const bare = text.trim().replace(ARTICLE, '');
  const arePages = /^pages /iu.test(bare) || / pages$/iu.test(bare);
  const names = bare.split(LIST).map((name) => readDeletedPage(name, quotes, arePages));
  return names.every((name) => name !== null) ? names : null;
}

function readDeletedPage(text: string, quotes: string[], isPage: boolean): PageName | null {
  const bare = text.trim().replace(ARTICLE, '');
  if (/^home ?page$/iu.test(bare)) return { slug: '/' };
  const name = bare.replace(/^pages? (?:(?:called|titled|named|at) )?/iu, '').replace(/(?<=.) pages?$/iu, '');
  if (SLUG.test(name)) return { slug: normalizeSlug(name) };
  if (!isPage && name === bare) return null;
  const quoted = new RegExp(`^${QUOTE}$`, 'u').exec(name);
  if (!quoted) return WORDS.test(name) && !NO_NAME.test(name) ? { title: name } : null;
  const value = quotes[Number(quoted[1])]!;
  return SLUG.test(value) ? { slug: normalizeSlug(value) } : { title: value };
}

type Listed = { slug: string; title: string };

/**
 * The slug of the page that is meant: by slug, by its whole title, by the first part of its title, or by its slug's
 * last words.
 * @param options.whole not by a part of its title, which may be the name of the whole site
 * @throws DomainError INVALID_INPUT where no page or more than one page is called so
 */
export function resolvePage(name: PageName, pages: Listed[], { whole = false } = {}): string {
  if ('slug' in name) return bySlug(name.slug, pages);
  const wanted = foldWords(name.title);
  const readings: ((page: Listed) => string)[] = [
    ({ title }) => foldWords(title),
    ...(whole ? [] : [({ title }: Listed) => foldWords(title.split(/ [|–—·:-] |: /u)[0]!)]),
    ({ slug }) => foldWords(slug.split('/').at(-1)!),
  ];
  for (const reading of readings) {
    const found = pages.filter((page) => reading(page) === wanted);
    if (found.length === 1) return found[0]!.slug;
    if (found.length > 1)
      throw new DomainError(
        'INVALID_INPUT',
        `the name stands for more than one page: ${slugsOf(found)}; name one by its slug`,
      );
  }
  throw new DomainError('INVALID_INPUT', `no page is called "${name.title}"; the site has ${slugsOf(pages)}`);
}

function bySlug(slug: string, pages: Listed[]): string {
  if (pages.some((page) => page.slug === slug)) return slug;
  const alike = pages.filter((page) => page.slug.toLowerCase() === slug.toLowerCase());
  if (alike.length === 1) return alike[0]!.slug;
  throw new DomainError('INVALID_INPUT', `Page not found: ${slug}; the site has ${slugsOf(pages)}`);
}

const NAMED = 10;
const slugsOf = (pages: Listed[]) =>
  pages
    .slice(0, NAMED)
    .map(({ slug }) => slug)
    .join(', ') + (pages.length > NAMED ? ` and ${pages.length - NAMED} more` : '');
