import type { PageFile } from '../../contract/site.ts';
import type { Slot } from '../../sites/formats/page.ts';
import type { ToolContext } from './tool.ts';
import { PAGES_WITH_HITS, pageAt } from './arguments.ts';
import type { Hits } from './textsCalls.ts';

/** The texts of a page. Inline markup becomes numbered parts: `Call <1>us</1>`. */
export interface PageReading {
  slug: string;
  title: string;
  slots: Pick<Slot, 'id' | 'role' | 'level' | 'section' | 'text' | 'parts' | 'jsonPath'>[];
}

/** Where words occur on a page. */
export interface PageHits extends Hits {
  slug: string;
}

export async function readSlots(
  { site }: ToolContext,
  args: { slug: string },
): Promise<PageReading> {
  const { title, slots } = await site.read(pageAt(site, args.slug));
  return { slug: args.slug, title, slots: slots.map(({ locked: _, label: __, ...slot }) => slot) };
}

/** Finds whole words, in any case, in the texts of all pages: at most `PAGES_WITH_HITS` pages. */
export async function search(context: ToolContext, args: { text: string }): Promise<PageHits[]> {
  const found: PageHits[] = [];
  for (const page of context.site.files()) {
    if (found.length === PAGES_WITH_HITS) break;
    const hits = await hitsOn(context, page, args.text);
    if (hits && hits.count > 0) found.push({ slug: page.slug, ...hits });
  }
  return found;
}

/** Where words occur on a page; null if a look at the source shows that the page lacks them. */
async function hitsOn(
  { site, texts }: ToolContext,
  page: PageFile,
  words: string,
): Promise<Hits | null> {
  if (!(await texts.mayContain(await site.pageSource(page), words))) return null;
  return texts.findWords((await site.read(page)).slots, words);
}
