import Joi from 'joi';
import type { Slot } from '../../sites/formats/format.ts';
import type { SiteEdits } from '../siteEdits.ts';
import { plainText } from '../text/marks.ts';
import { findWords } from '../text/words.ts';
import type { Tool, ToolContext } from './tool.ts';
import { pageAt, slug, text } from './arguments.ts';
import { mayContain } from './sourceFilter.ts';

/** What `read_page` answers, as JSON. */
export interface PageReading {
  slug: string;
  title: string;
  slots: Pick<Slot, 'id' | 'role' | 'level' | 'section' | 'text' | 'parts' | 'jsonPath'>[];
}

/** What `search` answers, as JSON. */
export interface SearchHit {
  slug: string;
  id: string;
  role: Slot['role'];
  text: string;
}

const HITS = 50;
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
  description: `Finds a text (whole words, any case) in the texts of all pages; at most ${HITS} hits.`,
  schema: Joi.object({ text: text.description('The words to find.') }),
  run: async ({ site }: ToolContext, args: { text: string }) => JSON.stringify(await find(site, args.text)),
};

async function find(site: SiteEdits, words: string): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  for (const page of site.files()) {
    if (hits.length >= HITS || !mayContain(await site.source(page.path), words)) continue;
    for (const { id, role, text } of (await site.read(page)).slots) {
      const plain = plainText(text);
      if (findWords(plain, words, { anyCase: true }).length > 0)
        hits.push({ slug: page.slug, id, role, text: plain.slice(0, EXCERPT) });
    }
  }
  return hits.slice(0, HITS);
}

export const readingTools: Tool[] = [listPages, readPage, search];
