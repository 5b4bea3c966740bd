import Joi from 'joi';
import type { Slot } from '../../sites/pages/format.ts';
import type { PageContent } from '../../sites/pages/pages.ts';
import type { SiteEdits } from '../siteEdits.ts';
import { plainText } from '../text/marks.ts';
import { findWords } from '../text/words.ts';
import type { Tool, ToolContext } from './tool.ts';
import { pageAt, slug, words } from './arguments.ts';
import { mayContain } from './sourceFilter.ts';

/** What `read_page` answers, as JSON. */
export interface PageReading {
  slug: string;
  title: string;
  slots: Pick<Slot, 'id' | 'role' | 'level' | 'section' | 'text' | 'parts' | 'jsonPath'>[];
}

/** What `search` answers for each page, as JSON. */
export interface PageHits {
  slug: string;
  count: number;
  /** How many of them are written in the same case. */
  sameCase: number;
  hits: { id: string; role: Slot['role']; text: string }[];
}

const PAGES_WITH_HITS = 50;
const HITS_PER_PAGE = 5;
const EXCERPT = 160;

const listPages: Tool = {
  name: 'list_pages',
  description: 'Lists every page of the site: slug and title.',
  schema: Joi.object({}),
  run: async ({ site }) => JSON.stringify(await site.titles()),
};

const readPage: Tool = {
  name: 'read_page',
  description:
    'Reads the texts of a page: each slot has an id, a role, the section it stands in, and its text. Inline markup reads as numbered parts: `Call <1>us</1>`.',
  schema: Joi.object({ slug }),
  run: async ({ site }: ToolContext, args: { slug: string }) => JSON.stringify(await readingOf(site, args.slug)),
};

async function readingOf(site: SiteEdits, slug: string): Promise<PageReading> {
  const { title, slots } = await site.read(pageAt(site, slug));
  return { slug, title, slots: slots.map(({ locked: _, ...slot }) => slot) };
}

const search: Tool = {
  name: 'search',
  description: `Finds a text (whole words, any case) in the texts of all pages: for each page how often, and the first ${HITS_PER_PAGE} slots; at most ${PAGES_WITH_HITS} pages.`,
  schema: Joi.object({ text: words.description('The words to find.') }),
  run: async ({ site }: ToolContext, args: { text: string }) => JSON.stringify(await find(site, args.text)),
};

async function find(site: SiteEdits, words: string): Promise<PageHits[]> {
  const found: PageHits[] = [];
  for (const page of site.files()) {
    if (found.length === PAGES_WITH_HITS) break;
    if (!mayContain(await site.source(page.path), words)) continue;
    const hits = hitsOf(await site.read(page), words);
    if (hits.count > 0) found.push(hits);
  }
  return found;
}

function hitsOf({ slug, slots }: PageContent, words: string): PageHits {
  const plain = slots.map(({ id, role, text }) => ({ id, role, text: plainText(text) }));
  const count = (options: { anyCase: boolean }) =>
    plain.reduce((sum, { text }) => sum + findWords(text, words, options).length, 0);
  const hits = plain.filter(({ text }) => findWords(text, words, { anyCase: true }).length > 0).slice(0, HITS_PER_PAGE);
  return {
    slug,
    count: count({ anyCase: true }),
    sameCase: count({ anyCase: false }),
    hits: hits.map((hit) => ({ ...hit, text: hit.text.slice(0, EXCERPT) })),
  };
}

export const readingTools: Tool[] = [listPages, readPage, search];
