import type { NameListing } from './tools/listNames.ts';
import type { Workspace } from './workspace.ts';

/** Most ideas of one kind that are tried. */
const MOST_TRIED = 4;
const LONGEST_NAME = 40;
const LONGEST_SLUG = 200;
/** Most pages that are read. */
const MOST_PAGES = 500;

type Listed = { slug: string; title: string };

/**
 * Example instructions by kind, in wordings of the embedded rules, with the site's own pages and
 * names. They have not been tried yet.
 */
export async function ideasFor(workspace: Workspace): Promise<string[][]> {
  const all = await workspace.pages();
  const names = await workspace.answer({ name: 'list_names', arguments: {} });
  const pages = ordinary(
    all.filter(({ slug }) => slug.length <= LONGEST_SLUG).slice(0, MOST_PAGES),
  );
  const named = (kind: NameListing[number]['kind']) =>
    names.filter((name) => name.kind === kind && isQuotable(name.text)).map(({ text }) => text);
  const kinds = [
    pages.map(({ slug }) => `Change the headline of ${slug} to "A headline of your own"`),
    [...newPlaces(pages), ...copies(pages)],
    named('button').map((text) => `Make the button "${text}" say "A label of your own" everywhere`),
    pages.filter(isTop).map(({ slug }) => `Add ${slug} to the navigation`),
    named('entry').map((text) => `Change "${text}" in the navigation to "A name of your own"`),
    ['Update the year in the footer'],
    pages.map(
      ({ slug }) => `Give ${slug} the description "What the page is about, in one sentence"`,
    ),
    pages.map(({ slug }) => `Change the title of ${slug} to "A title of your own"`),
  ];
  return kinds.map((ideas) => ideas.slice(0, MOST_TRIED));
}

const isQuotable = (text: string) =>
  text.length <= LONGEST_NAME && /^[\p{L}\p{N}][^"“”„«»`\n]*$/u.test(text);

/** Slugs that can stand in an instruction without quotes. */
const isPlain = ({ slug }: Listed) => /^\/[\w/-]*$/.test(slug);
const isAside = ({ slug }: Listed) =>
  /(?:^|\/)(?:404|500|error|search|imprint|impressum|privacy|terms|legal|cookies?|thanks|thank-you)(?:\/|$)/i.test(
    slug,
  );
const isTop = ({ slug }: Listed) => slug.lastIndexOf('/') === 0 && slug !== '/';

/** Ordinary pages: those in higher folders first, the home page last. */
function ordinary(pages: Listed[]): Listed[] {
  const own = pages.filter((page) => isPlain(page) && !isAside(page));
  const depth = ({ slug }: Listed) => (slug === '/' ? Infinity : slug.split('/').length);
  return own.toSorted((a, b) => depth(a) - depth(b));
}

/** Names of folders with a page for each place. */
const PLACES =
  /^(?:locations?|cit(?:y|ies)|areas?|stores?|shops?|offices?|branch(?:es)?|regions?|studios?|places?|near)$/i;
const CITIES = ['Rome', 'Oslo', 'Lima'];

const folderOf = (slug: string) => slug.slice(0, slug.lastIndexOf('/'));

function newPlaces(pages: Listed[]): string[] {
  const template = pages.find(({ slug }) => PLACES.test(folderOf(slug).split('/').at(-1)!));
  if (!template) return [];
  const taken = new Set(pages.map(({ slug }) => slug));
  const slugFor = (city: string) => `${folderOf(template.slug)}/${city.toLowerCase()}`;
  return CITIES.filter((city) => !taken.has(slugFor(city))).map(
    (city) => `Create ${slugFor(city)} for ${city} from ${template.slug}`,
  );
}

/** Ideas for copies of pages, in folders with several pages. */
function copies(pages: Listed[]): string[] {
  const inFolders = pages.filter(({ slug }) => folderOf(slug) !== '');
  const beside = inFolders.filter(({ slug }) =>
    inFolders.some((o) => o.slug !== slug && folderOf(o.slug) === folderOf(slug)),
  );
  return [...beside, ...pages.filter(isTop)].map(
    ({ slug }) => `Copy ${slug} for "A name of your own" as ${folderOf(slug)}/a-page-of-your-own`,
  );
}
