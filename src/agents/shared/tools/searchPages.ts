import type { PageFile } from '../../../contract/site.ts';
import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import type { ToolContext } from './toolContext.ts';
import { PAGES_WITH_HITS, requirePage } from './toolArguments.ts';
import type { WordHits } from '../texts/textsCalls.ts';

/** The texts of a page. Inline tags in them are numbered: `Call <1>us</1>`. */
export interface PageReading {
  slug: string;
  title: string;
  slots: Pick<TextSlot, 'id' | 'role' | 'level' | 'section' | 'text' | 'parts' | 'jsonPath'>[];
}

/** Where words occur on a page. */
export interface PageHits extends WordHits {
  slug: string;
}

/** Reads the texts of a page, with the ids of their slots. */
export async function readPageSlots(
  { site }: ToolContext,
  slotArguments: { slug: string },
): Promise<PageReading> {
  const { title, slots } = await site.read(requirePage(site, slotArguments.slug));
  return {
    slug: slotArguments.slug,
    title,
    slots: slots.map(({ locked: _, label: __, ...slot }) => slot),
  };
}

/** Finds whole words, in any case, in the texts of all pages: at most `PAGES_WITH_HITS` pages. */
export async function searchPages(
  context: ToolContext,
  searchArguments: { text: string },
): Promise<PageHits[]> {
  const pagesWithHits: PageHits[] = [];
  for (const page of context.site.files()) {
    if (pagesWithHits.length === PAGES_WITH_HITS) break;
    const hits = await findPageHits(context, page, searchArguments.text);
    if (hits && hits.count > 0) pagesWithHits.push({ slug: page.slug, ...hits });
  }
  return pagesWithHits;
}

/** Counts words on a page; null if a quick check of its source shows that it lacks them. */
async function findPageHits(
  { site, texts }: ToolContext,
  page: PageFile,
  words: string,
): Promise<WordHits | null> {
  if (!(await texts.mayContain(await site.pageSource(page), words))) return null;
  return texts.findWords((await site.read(page)).slots, words);
}
