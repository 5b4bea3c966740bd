import { foldWords } from '../../text/fold.ts';
import { isSameWord, namingWords } from './edits/namingWords.ts';
import { refuse } from './edits/refuse.ts';
import type { PageName } from './instructions.ts';

type Listed = { slug: string; title: string };

/**
 * The slug of the page that is meant: by slug, by its whole title, by the first part of its title,
 * by its slug's last words, or by words that all stand in the slug or title of this page only.
 * @param options.whole not by a part of its title, which may be the name of the whole site
 * @throws DomainError INVALID_INPUT where no page or more than one page is called so
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

/**
 * Whether all words of a name stand in a page's slug, or in its slug and title: at least one in the
 * slug.
 */
function isNamedBy(name: string, { slug, title }: Listed, whole: boolean): boolean {
  const wanted = namingWords(name);
  const own = namingWords(slug);
  const all = whole ? own : [...own, ...namingWords(title)];
  const stands = (word: string, words: string[]) => words.some((one) => isSameWord(word, one));
  return wanted.some((word) => stands(word, own)) && wanted.every((word) => stands(word, all));
}

function bySlug(slug: string, pages: Listed[]): string {
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
