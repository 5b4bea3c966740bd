import { foldWords } from '../../text/fold.ts';
import { isSameWord, namingWords } from './edits/namingWords.ts';
import { refuse } from './edits/refuse.ts';
import type { PageName } from './instructions.ts';

type Listed = { slug: string; title: string };

/**
 * Finds a page by its slug, its whole title, the first part of its title, the last part of its
 * slug, or words that only its slug and title have.
 * @param options.whole ignores parts of titles, which may be the name of the whole site
 * @returns the page's slug
 * @throws DomainError INVALID_INPUT if no page, or more than one, has this name
 */
export function resolvePage(name: PageName, pages: Listed[], { whole = false } = {}): string {
  if ('slug' in name) return bySlug(name.slug, pages);
  const wanted = foldWords(name.title);
  const readings: ((page: Listed) => boolean)[] = [
    ({ title }) => foldWords(title) === wanted,
    ...(whole
      ? []
      : [({ title }: Listed) => foldWords(title.split(/ [|–—·:-] |: /u)[0]!) === wanted]),
    ({ slug }) => foldWords(slug.split('/').at(-1)!) === wanted,
    ({ slug }) => slug === '/' && wanted === 'landing',
    (page) => isNamedBy(name.title, page, whole),
  ];
  for (const reading of readings) {
    const found = pages.filter(reading);
    if (found.length === 1) return found[0]!.slug;
    if (found.length > 1)
      throw refuse(
        `the name stands for more than one page: ${slugsOf(found)}; name one by its slug`,
      );
  }
  throw refuse(`no page is called "${name.title}"; the site has ${slugsOf(pages)}`);
}

/** Whether a page's slug and title together have all words of a name, and the slug at least one. */
function isNamedBy(name: string, { slug, title }: Listed, whole: boolean): boolean {
  const wanted = namingWords(name);
  const own = namingWords(slug);
  const all = whole ? own : [...own, ...namingWords(title)];
  const stands = (word: string, words: string[]) => words.some((one) => isSameWord(word, one));
  return wanted.some((word) => stands(word, own)) && wanted.every((word) => stands(word, all));
}

function bySlug(given: string, pages: Listed[]): string {
  const slug = pages.some((page) => page.slug === given) ? given : given.replaceAll('%20', ' ');
  if (pages.some((page) => page.slug === slug)) return slug;
  const alike = pages.filter((page) => page.slug.toLowerCase() === slug.toLowerCase());
  if (alike.length === 1) return alike[0]!.slug;
  throw refuse(`Page not found: ${slug}; the site has ${slugsOf(pages)}`);
}

const NAMED = 10;
const slugsOf = (pages: Listed[]) =>
  pages
    .slice(0, NAMED)
    .map(({ slug }) => slug)
    .join(', ') + (pages.length > NAMED ? ` and ${pages.length - NAMED} more` : '');
