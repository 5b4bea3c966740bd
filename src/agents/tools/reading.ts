import Joi from 'joi';
import type { StatedHours } from '../../sites/html/changes/hours.ts';
import type { Slot } from '../../sites/pages/format.ts';
import type { SiteEdits } from '../siteEdits.ts';
import type { Tool, ToolContext } from './tool.ts';
import { pageAt, slug, words } from './arguments.ts';
import { type Hits, HITS_PER_PAGE, PAGES_WITH_HITS } from './texts.ts';

/** What `read_slots` answers, as JSON. */
export interface PageReading {
  slug: string;
  title: string;
  slots: Pick<Slot, 'id' | 'role' | 'level' | 'section' | 'text' | 'parts' | 'jsonPath'>[];
}

/** What `search` answers for each page, as JSON. */
export interface PageHits extends Hits {
  slug: string;
}

const listPages: Tool = {
  name: 'list_pages',
  description: 'Lists every page of the site: slug and title.',
  schema: Joi.object({}),
  run: async ({ site }) => JSON.stringify(await site.titles()),
};

const readSlots: Tool = {
  name: 'read_slots',
  description:
    'Reads the texts of a page: each slot has an id, a role, the section it stands in, and its text. Inline markup reads as numbered parts: `Call <1>us</1>`.',
  schema: Joi.object({ slug }),
  run: async ({ site }: ToolContext, args: { slug: string }) => JSON.stringify(await readingOf(site, args.slug)),
};

async function readingOf(site: SiteEdits, slug: string): Promise<PageReading> {
  const { title, slots } = await site.read(pageAt(site, slug));
  return { slug, title, slots: slots.map(({ locked: _, label: __, ...slot }) => slot) };
}

const search: Tool = {
  name: 'search',
  description: `Finds a text (whole words, any case) in the texts of all pages: for each page how often, and the first ${HITS_PER_PAGE} slots; at most ${PAGES_WITH_HITS} pages.`,
  schema: Joi.object({ text: words.description('The words to find.') }),
  run: async (context: ToolContext, args: { text: string }) => JSON.stringify(await find(context, args.text)),
};

async function find({ site, texts }: ToolContext, words: string): Promise<PageHits[]> {
  const found: PageHits[] = [];
  for (const page of site.files()) {
    if (found.length === PAGES_WITH_HITS) break;
    if (!(await site.ask(page, (_, source) => texts.mayContain(source, words)))) continue;
    const { slug, slots } = await site.read(page);
    const hits = await texts.findWords(slots, words);
    if (hits.count > 0) found.push({ slug, ...hits });
  }
  return found;
}

/** What `list_hours` answers, as JSON. */
export type HoursListing = StatedHours[];

const listHours: Tool = {
  name: 'list_hours',
  description: "Lists the opening hours in a page's structured data: days from 0 for Monday, and the slots' ids.",
  schema: Joi.object({ slug }),
  run: async ({ site }: ToolContext, args: { slug: string }) =>
    JSON.stringify(await site.ask(pageAt(site, args.slug), (pages, source) => pages.hours(source))),
};

export const readingTools: Tool[] = [listPages, readSlots, search, listHours];
