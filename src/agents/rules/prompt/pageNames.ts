import { DomainError } from '../../../errors.ts';
import { normalizeSlug } from '../../../sites/slug.ts';
import { foldWords } from '../../text/fold.ts';
import type { PageName } from './instructions.ts';
import { QUOTE } from './quotes.ts';

const HOME = /^(?:home ?page|home|(?:front|start|index|root|main|landing) page|index|root)$/iu;
const WORDS = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}'’&-]*(?: [\p{L}\p{M}\p{N}'’&-]+){0,7}$/u;
const NO_NAME =
  /^(?:it|its|this|that|these|those|them|all|every|each|any|everything|the|a|an|pages?|old|new|other|first|second|last)\b/iu;

/** Reads `/a, the pricing page and "About us"`; null where a part of it names no page. */
export function readPageNames(text: string, quotes: string[]): PageName[] | null {
  const names = text.split(/, and | and |, ?/i).map((name) => readPageName(name, quotes));
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
  if (/^\/\S*$/.test(value)) return { slug: normalizeSlug(value) };
  if (quoted) return HOME.test(value) ? { slug: '/' } : { title: value };
  return WORDS.test(name) && !NO_NAME.test(name) ? { title: name } : null;
}

type Listed = { slug: string; title: string };

/**
 * The slug of the page that is meant: by slug, by its whole title, by the first part of its title, or by its slug's last words.
 * @throws DomainError INVALID_INPUT where no page or more than one page is called so
 */
export function resolvePage(name: PageName, pages: Listed[]): string {
  if ('slug' in name) return bySlug(name.slug, pages);
  const wanted = foldWords(name.title);
  const readings: ((page: Listed) => string)[] = [
    ({ title }) => foldWords(title),
    ({ title }) => foldWords(title.split(/ [|–—·:-] |: /u)[0]!),
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
  throw new DomainError('INVALID_INPUT', `no page is called that; the site has ${slugsOf(pages)}`);
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
