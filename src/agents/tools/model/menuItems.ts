import { defined } from '../../../contract/defined.ts';
import type { PageFile } from '../../../contract/site.ts';
import { invalidInput } from '../../../errors.ts';
import type { Marks } from '../../../sites/formats/page.ts';
import { linkTarget } from '../linkTarget.ts';
import type { ToolContext } from '../tool.ts';
import { reached } from './sisterPlaces.ts';
import { outlineOf, type Members } from './members.ts';

/** New entries of a navigation, each with a page as its target. */
interface MenuItems {
  /** The entry after which they are added. */
  after: string;
  /** The place of its link, the same on every page. */
  at: string;
  entries: { text: string; page: PageFile }[];
}

/**
 * Reads new members as entries of a navigation: each has one text, and one link to a page of the
 * site. An entry is marked as current on its target page only. Undefined for other members.
 */
export async function menuEntry(
  { site }: ToolContext,
  { page, group, indexes }: Members,
  { items, links = [] }: { items: string[][]; links?: string[][] },
): Promise<MenuItems | undefined> {
  const [after] = indexes as [number];
  const own = (await site.ask(page, 'groupLinks', group.id))[after]!;
  const menu = await site.ask(page, 'menu');
  const behind = menu.find(({ link }) => own.length === 1 && link === own[0]);
  if (!behind || items.some((texts) => texts.length !== 1)) return undefined;
  const entries: MenuItems['entries'] = [];
  for (const [i, [text]] of items.entries()) {
    const to = links[i]?.[0] === undefined ? undefined : await linkTarget(site, page, links[i][0]);
    if (
      to === undefined ||
      typeof to === 'string' ||
      to.slug === null ||
      to.query + to.fragment !== ''
    )
      return undefined;
    entries.push({ text: text!, page: { path: to.path, slug: to.slug } });
  }
  const [place] = await site.ask(page, 'places', [behind.link]);
  return place ? { after: behind.text, at: place.at, entries } : undefined;
}

/**
 * Adds entries to a navigation of one page, or of all pages that have it.
 * @returns the new ids and the group's outline
 */
export async function addToMenus(
  context: ToolContext,
  { page, group }: Members,
  { entries: { after, at, entries }, isEverywhere }: { entries: MenuItems; isEverywhere: boolean },
): Promise<string> {
  const { site } = context;
  const marks = await marksAt(site, at);
  const slotsOf = async () => (await site.read(page)).slots.map(({ id }) => id);
  const before = new Set(await slotsOf());
  const addTo = async (file: PageFile) => {
    let isAdded = false;
    for (const entry of entries.toReversed())
      isAdded =
        (await site.rebuild(file, {
          kind: 'add-entry',
          entry: { ...entry, after, at, isOnlyMark: true, ...defined({ marks }) },
        })) || isAdded;
    return isAdded;
  };
  if (!(await addTo(page)))
    throw invalidInput(
      `The navigation of ${page.slug} has these entries already, or its entries can't be copied`,
    );
  const [pages, without] = [[page], [] as PageFile[]];
  if (isEverywhere)
    for (const other of site.files())
      if (other.path !== page.path) ((await addTo(other)) ? pages : without).push(other);
  const added = (await slotsOf()).filter((id) => !before.has(id));
  const where = isEverywhere ? reached({ pages, without }) : '';
  return `Added ${added.join(', ')}${where}\n${await outlineOf(context, page, group.id)}`;
}

/**
 * How this navigation marks the current page's entry: as on the first page that has its own entry
 * in it.
 */
async function marksAt(site: ToolContext['site'], at: string): Promise<Marks | undefined> {
  for (const file of site.files()) {
    const own = (await site.ask(file, 'menu')).filter(({ marks }) => marks);
    if (own.length === 0) continue;
    const places = await site.ask(
      file,
      'places',
      own.map(({ link }) => link),
    );
    const found = own.find((_, i) => places[i]?.at === at);
    if (found) return found.marks;
  }
  return undefined;
}
