import { foldWords } from '../../shared/text/foldText.ts';
import { pageNotFound } from '../../shared/tools/pageNotFound.ts';
import { areFormsOfOneWord, listNamingWords } from './edits/matchNames.ts';
import { createInstructionError } from './edits/instructionError.ts';
import type { PageName } from './promptInstruction.ts';

type ListedPage = { slug: string; title: string };

/**
 * Finds the page that a prompt names, such as `the pricing page`. Tries, in this order, its slug,
 * its whole title, the first part of its title (`Pricing | Acme`), the last part of its slug, and
 * words of its slug and title. `landing` is the home page.
 * @param options.whole ignores parts of titles, which may be the name of the whole site
 * @returns the page's slug
 * @throws DomainError INVALID_INPUT if no page, or more than one, has this name
 */
export function resolvePage(
  name: PageName,
  pages: ListedPage[],
  { whole: wholeTitle = false } = {},
): string {
  if ('slug' in name) return resolveSlug(name.slug, pages);
  const wantedTitle = foldWords(name.title);
  const matchers: ((page: ListedPage) => boolean)[] = [
    ({ title }) => foldWords(title) === wantedTitle,
    ...(wholeTitle
      ? []
      : [({ title }: ListedPage) => foldWords(title.split(/ [|–—·:-] |: /u)[0]!) === wantedTitle]),
    ({ slug }) => foldWords(slug.split('/').at(-1)!) === wantedTitle,
    ({ slug }) => slug === '/' && wantedTitle === 'landing',
    (page) => isPageNamedBy(name.title, page, wholeTitle),
  ];
  for (const matcher of matchers) {
    const matchingPages = pages.filter(matcher);
    if (matchingPages.length === 1) return matchingPages[0]!.slug;
    if (matchingPages.length > 1)
      throw createInstructionError(
        `the name fits more than one page: ${listFirstSlugs(matchingPages)}. Name one by its slug`,
      );
  }
  throw createInstructionError(
    `no page is called "${name.title}". The site has ${listFirstSlugs(pages)}`,
  );
}

/** Whether a page's slug and title together have all words of a name, and the slug at least one. */
function isPageNamedBy(name: string, { slug, title }: ListedPage, slugOnly: boolean): boolean {
  const nameWords = listNamingWords(name);
  const slugWords = listNamingWords(slug);
  const pageWords = slugOnly ? slugWords : [...slugWords, ...listNamingWords(title)];
  const includesForm = (word: string, words: string[]) =>
    words.some((candidate) => areFormsOfOneWord(word, candidate));
  return (
    nameWords.some((word) => includesForm(word, slugWords)) &&
    nameWords.every((word) => includesForm(word, pageWords))
  );
}

/** Finds a page by its slug, in which letter case and the encoding of spaces may differ. */
function resolveSlug(requestedPage: string, pages: ListedPage[]): string {
  const slug = pages.some((page) => page.slug === requestedPage)
    ? requestedPage
    : requestedPage.replaceAll('%20', ' ');
  if (pages.some((page) => page.slug === slug)) return slug;
  const similarPages = pages.filter((page) => page.slug.toLowerCase() === slug.toLowerCase());
  if (similarPages.length === 1) return similarPages[0]!.slug;
  throw createInstructionError(`${pageNotFound(slug)}. The site has ${listFirstSlugs(pages)}`);
}

const MAX_NAMED_PAGES = 10;
const listFirstSlugs = (pages: ListedPage[]) =>
  pages
    .slice(0, MAX_NAMED_PAGES)
    .map(({ slug }) => slug)
    .join(', ') +
  (pages.length > MAX_NAMED_PAGES ? ` and ${pages.length - MAX_NAMED_PAGES} more` : '');
