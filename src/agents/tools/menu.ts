import Joi from 'joi';
import { defined } from '../../contract/defined.ts';
import { limits } from '../../contract/task.ts';
import type { PageFile } from '../../contract/site.ts';
import { DomainError } from '../../errors.ts';
import type { Marks } from '../../sites/html/changes/menu.ts';
import type { SiteEdits } from '../siteEdits.ts';
import { pageAt, slug, words } from './arguments.ts';
import type { Tool, ToolContext } from './tool.ts';

const LONGEST_TITLE = 300;
const name = words.max(limits.slugLength);

interface AddEntry {
  page: string;
  text?: string;
  after?: string;
}

const addMenuEntry: Tool = {
  name: 'add_menu_entry',
  description:
    "Adds an entry to the site's main navigation on every page that has one, as its other entries are written. Answers the pages.",
  schema: Joi.object({
    page: slug.description('The page that it leads to.'),
    text: name.optional().description("What it says; without it the first part of the page's title."),
    after: name.optional().description('The entry that it comes behind; without it the last one.'),
  }),
  run: async ({ site }: ToolContext, { page: target, ...given }: AddEntry) => {
    const page = pageAt(site, target);
    const text = given.text ?? (await shortTitle(site, page));
    const marks = await marksOf(site);
    const entry = { ...given, page, text, ...defined({ marks }) };
    return changed(site, 'no page has a navigation that the entry could come to', (file) =>
      site.rebuild(file, { kind: 'add-entry', entry }),
    );
  },
};

/** The first part of a page's title, or the words of its slug, where other pages have that title as well. */
async function shortTitle(site: SiteEdits, { slug }: PageFile): Promise<string> {
  const first = ({ title }: { title: string }) => title.slice(0, LONGEST_TITLE).split(/ [|–—·:-] |: /u)[0]!;
  const titles = await site.titles();
  const own = first(titles.find((page) => page.slug === slug) ?? { title: '' });
  const isOwn = own !== '' && titles.filter((page) => first(page) === own).length === 1;
  const words = slug.split('/').at(-1)!.split(/[-_]+/);
  return isOwn ? own : words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(' ') || 'Home';
}

/** How the site marks the entry of the page that is shown: as the first page does that has its own one. */
async function marksOf(site: SiteEdits): Promise<Marks | undefined> {
  for (const file of site.files()) {
    const entries = await site.ask(file, (pages, source) => pages.menu(source));
    const own = entries.find(({ marks }) => marks);
    if (own) return own.marks;
  }
  return undefined;
}

const removeMenuEntry: Tool = {
  name: 'remove_menu_entry',
  description: "Takes an entry out of the site's navigations on every page, by its text or the page that it leads to.",
  schema: Joi.object({ text: name.optional(), page: slug.optional() }).xor('text', 'page'),
  run: async ({ site }: ToolContext, { text, page }: { text?: string; page?: string }) => {
    const name = text === undefined ? { slug: pageAt(site, page!).slug } : { text };
    return changed(site, 'no navigation has this entry', (file) =>
      site.rebuild(file, { kind: 'remove-entries', name }),
    );
  },
};

async function changed(site: SiteEdits, otherwise: string, change: (file: PageFile) => Promise<boolean>) {
  const slugs: string[] = [];
  for (const file of site.files()) if (await change(file)) slugs.push(file.slug);
  if (slugs.length === 0) throw new DomainError('NOT_FOUND', otherwise);
  return JSON.stringify({ pages: slugs });
}

/** What `list_menu` answers, as JSON: pages with a navigation. */
export type MenuListing = { slug: string; entries: { text: string; link: string; slug?: string }[] }[];

const listMenu: Tool = {
  name: 'list_menu',
  description:
    "Lists the entries of the site's navigations, by page: their texts, ids of their links, and pages that those lead to.",
  schema: Joi.object({}),
  run: async ({ site }: ToolContext) => {
    const listing: MenuListing = [];
    for (const file of site.files()) {
      const entries = await site.ask(file, (pages, source) => pages.menu(source));
      const named = entries.map(({ marks: _, ...entry }) => entry);
      if (named.length > 0) listing.push({ slug: file.slug, entries: named });
    }
    return JSON.stringify(listing);
  },
};

export const menuTools: Tool[] = [listMenu, addMenuEntry, removeMenuEntry];
