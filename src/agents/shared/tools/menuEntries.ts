import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { limits } from '../../../contract/task.ts';
import type { PageFile } from '../../../contract/site.ts';
import { invalidInputError, notFoundError } from '../../../errors.ts';
import type { EntryMarks, MenuEntry } from '../../../sites/formats/pageParts.ts';
import type { SiteEdits } from '../site/siteEdits.ts';
import { requirePage } from './toolArguments.ts';
import type { ToolContext } from './toolContext.ts';

const MAX_TITLE_LENGTH = 300;

interface AddEntryArguments {
  /** The slug of the page that the entry links to. */
  page: string;
  /** The entry's text; default: the first part of the page's title. */
  text?: string;
  /** The text of the entry after which it is added; default: the last one. */
  after?: string;
}

/**
 * Adds an entry to the main navigation of every page that has one. It looks like the other entries.
 * Navigations with an entry for this target get no second one, unless another `text` is requested.
 * @throws DomainError NOT_FOUND if the target page does not exist or no page has a navigation;
 *   INVALID_INPUT if the text is too long
 */
export async function addMenuEntry(
  context: ToolContext,
  { page: targetSlug, ...entryArguments }: AddEntryArguments,
): Promise<void> {
  const { site } = context;
  const page = requirePage(site, targetSlug);
  const text = entryArguments.text ?? (await createShortTitle(site, page));
  if (text.length > limits.slugLength)
    throw invalidInputError(
      `an entry of the navigation has at most ${limits.slugLength} characters`,
    );
  const marks = await findEntryMarks(site);
  const entry = { ...entryArguments, page, text, ...withoutUndefined({ marks }) };
  let hasEntry = false;
  const addToMenu = async (file: PageFile) => {
    const pageEntry = await findPageEntry(site, file, {
      slug: page.slug,
      text: entryArguments.text,
    });
    if (!pageEntry) return site.rebuild(file, { kind: 'add-entry', entry });
    hasEntry = true;
    const textName = menuTexts.entryName(page.slug);
    context.warnings.unchanged({ slug: file.slug, textName, text: pageEntry.text });
    return false;
  };
  await changeEachMenu(site, addToMenu, () => (hasEntry ? undefined : menuTexts.noMenu()));
}

/** What was found in the navigation, or is missing there. */
export const menuTexts = {
  entryName: (slug: string) => `the entry of the navigation for ${slug}`,
  noMenu: () => 'no page has a navigation to which the entry can be added',
  noEntry: () => 'no navigation has this entry',
};

/** The entry of a file's main navigation that links to `slug` and, if given, has the `text`. */
async function findPageEntry(
  site: SiteEdits,
  file: PageFile,
  { slug, text }: { slug: string; text: string | undefined },
) {
  const entries = await site.query(file, 'menu');
  const isWantedEntry = (entry: MenuEntry) =>
    text === undefined || entry.text.toLowerCase() === text.toLowerCase();
  return entries.find((entry) => entry.isMain && entry.slug === slug && isWantedEntry(entry));
}

/** The first part of a page's title (`Book | Acme`), or the slug's words if it is not unique. */
async function createShortTitle(site: SiteEdits, { slug }: PageFile): Promise<string> {
  const readFirstPart = ({ title }: { title: string }) =>
    title.slice(0, MAX_TITLE_LENGTH).split(/ [|–—·:-] |: /u)[0]!;
  const titles = await site.titles();
  const firstPart = readFirstPart(titles.find((page) => page.slug === slug) ?? { title: '' });
  const isUnique =
    firstPart !== '' && titles.filter((page) => readFirstPart(page) === firstPart).length === 1;
  const words = slug.split('/').at(-1)!.split(/[-_]+/);
  return isUnique
    ? firstPart
    : words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ') || 'Home';
}

/**
 * How the site marks the entry of the page that is shown, such as by a class. Taken from the first
 * page whose navigation has such a mark; undefined if none has.
 */
async function findEntryMarks(site: SiteEdits): Promise<EntryMarks | undefined> {
  for (const file of site.files()) {
    const entries = await site.query(file, 'menu');
    const markedEntry = entries.find(({ marks }) => marks);
    if (markedEntry) return markedEntry.marks;
  }
  return undefined;
}

/** Removes an entry from every navigation, by text or target. Throws NOT_FOUND if none has it. */
export async function removeMenuEntry(
  { site }: ToolContext,
  entry: { text: string } | { page: string },
): Promise<void> {
  const entryName = 'text' in entry ? entry : { slug: requirePage(site, entry.page).slug };
  const removeFromMenu = (file: PageFile) =>
    site.rebuild(file, { kind: 'remove-entries', name: entryName });
  await changeEachMenu(site, removeFromMenu, menuTexts.noEntry);
}

/**
 * Changes the navigation of each page.
 * @param changeMenu changes one page; returns whether it changed
 * @param describeMissing if no page changed, returns the message of NOT_FOUND; undefined for none
 */
async function changeEachMenu(
  site: SiteEdits,
  changeMenu: (file: PageFile) => Promise<boolean>,
  describeMissing: () => string | undefined,
) {
  let isChanged = false;
  for (const file of site.files()) isChanged = (await changeMenu(file)) || isChanged;
  const problem = isChanged ? undefined : describeMissing();
  if (problem !== undefined) throw notFoundError(problem);
}

/** The pages that have a navigation, with its entries. `link`: the id of an entry's link. */
export type MenuListing = {
  slug: string;
  entries: { text: string; link: string; slug?: string }[];
}[];

export async function listMenus({ site }: ToolContext): Promise<MenuListing> {
  const listing: MenuListing = [];
  for (const file of site.files()) {
    const entries = await site.query(file, 'menu');
    const namedEntries = entries.map(({ marks: _, isMain: __, ...entry }) => entry);
    if (namedEntries.length > 0) listing.push({ slug: file.slug, entries: namedEntries });
  }
  return listing;
}
