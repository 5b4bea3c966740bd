import { defined } from '../../contract/defined.ts';
import { limits } from '../../contract/task.ts';
import type { PageFile } from '../../contract/site.ts';
import { invalidInput, notFound } from '../../errors.ts';
import type { Marks, MenuEntry } from '../../sites/formats/page.ts';
import type { SiteEdits } from '../siteEdits.ts';
import { pageAt } from './arguments.ts';
import type { ToolContext } from './tool.ts';

const LONGEST_TITLE = 300;

interface AddEntry {
  /** The slug of the page that the entry links to. */
  page: string;
  /** The entry's text; default: the first part of the page's title. */
  text?: string;
  /** The entry after which it is added; default: the last one. */
  after?: string;
}

/**
 * Adds an entry to the main navigation of every page that has one, in the form of its other
 * entries. Adds nothing if an entry links to the page already, unless another text is requested.
 */
export async function addMenuEntry(
  context: ToolContext,
  { page: target, ...given }: AddEntry,
): Promise<void> {
  const { site } = context;
  const page = pageAt(site, target);
  const text = given.text ?? (await shortTitle(site, page));
  if (text.length > limits.slugLength)
    throw invalidInput(`an entry of the navigation has at most ${limits.slugLength} characters`);
  const marks = await marksOf(site);
  const entry = { ...given, page, text, ...defined({ marks }) };
  let isThere = false;
  const change = async (file: PageFile) => {
    const own = await ownEntry(site, file, { slug: page.slug, text: given.text });
    if (!own) return site.rebuild(file, { kind: 'add-entry', entry });
    isThere = true;
    const what = `the entry of the navigation for ${page.slug}`;
    context.warnings.unchanged({ slug: file.slug, what, text: own.text });
    return false;
  };
  await changeMenus(site, change, () => (isThere ? undefined : NO_MENU));
}

const NO_MENU = 'no page has a navigation that the entry could come to';

/** The entry that links to a page. With `text`, only an entry with that text. */
async function ownEntry(
  site: SiteEdits,
  file: PageFile,
  { slug, text }: { slug: string; text: string | undefined },
) {
  const entries = await site.query(file, 'menu');
  const isOwn = (entry: MenuEntry) =>
    text === undefined || entry.text.toLowerCase() === text.toLowerCase();
  return entries.find((entry) => entry.isMain && entry.slug === slug && isOwn(entry));
}

/** The first part of a page's title. If other pages share it, the words of the slug. */
async function shortTitle(site: SiteEdits, { slug }: PageFile): Promise<string> {
  const first = ({ title }: { title: string }) =>
    title.slice(0, LONGEST_TITLE).split(/ [|–—·:-] |: /u)[0]!;
  const titles = await site.titles();
  const own = first(titles.find((page) => page.slug === slug) ?? { title: '' });
  const isOwn = own !== '' && titles.filter((page) => first(page) === own).length === 1;
  const words = slug.split('/').at(-1)!.split(/[-_]+/);
  return isOwn
    ? own
    : words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ') || 'Home';
}

/**
 * How the site marks the current page's entry in the navigation: as on the first page that has its
 * own entry.
 */
async function marksOf(site: SiteEdits): Promise<Marks | undefined> {
  for (const file of site.files()) {
    const entries = await site.query(file, 'menu');
    const own = entries.find(({ marks }) => marks);
    if (own) return own.marks;
  }
  return undefined;
}

/** Removes an entry from the navigation of every page, by its text or its target page. */
export async function removeMenuEntry(
  { site }: ToolContext,
  entry: { text: string } | { page: string },
): Promise<void> {
  const name = 'text' in entry ? entry : { slug: pageAt(site, entry.page).slug };
  const change = (file: PageFile) => site.rebuild(file, { kind: 'remove-entries', name });
  await changeMenus(site, change, () => 'no navigation has this entry');
}

/**
 * Changes navigations. @param missing what to report as missing if no page changed; undefined to
 * report nothing
 */
async function changeMenus(
  site: SiteEdits,
  change: (file: PageFile) => Promise<boolean>,
  missing: () => string | undefined,
) {
  let isChanged = false;
  for (const file of site.files()) isChanged = (await change(file)) || isChanged;
  const problem = isChanged ? undefined : missing();
  if (problem !== undefined) throw notFound(problem);
}

/** Pages with a navigation, and the entries of each. */
export type MenuListing = {
  slug: string;
  entries: { text: string; link: string; slug?: string }[];
}[];

export async function listMenu({ site }: ToolContext): Promise<MenuListing> {
  const listing: MenuListing = [];
  for (const file of site.files()) {
    const entries = await site.query(file, 'menu');
    const named = entries.map(({ marks: _, isMain: __, ...entry }) => entry);
    if (named.length > 0) listing.push({ slug: file.slug, entries: named });
  }
  return listing;
}
