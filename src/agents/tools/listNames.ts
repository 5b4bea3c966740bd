import type { Slot } from '../../sites/formats/page.ts';
import type { ToolContext } from './tool.ts';

/**
 * Short texts that people use as names for things on the site, each once, and the first pages that
 * have them.
 */
export type NameListing = { text: string; kind: NameKind; slugs: string[] }[];
type NameKind = 'heading' | 'button' | 'link' | 'entry' | 'item';

/** Most pages and names that are read. */
const PAGES = 60;
const NAMES = 3_000;
const LONGEST = 80;
const PAGES_EACH = 10;
const DEEPEST_SECTION = 2;

/** Lists texts that people use as names: headings, buttons, links, navigation entries, items. */
export async function listNames({ site, texts }: ToolContext): Promise<NameListing> {
  const found = new Map<string, NameListing[number]>();
  for (const page of site.files().slice(0, PAGES)) {
    const { slug } = page;
    const add = (text: string, kind: NameKind) => {
      const known = found.get(`${kind} ${text}`);
      if (known && known.slugs.length < PAGES_EACH && !known.slugs.includes(slug))
        known.slugs.push(slug);
      if (known || text === '' || text.length > LONGEST || found.size >= NAMES) return;
      found.set(`${kind} ${text}`, { text, kind, slugs: [slug] });
    };
    for (const { text } of await site.ask(page, 'menu')) add(text, 'entry');
    for (const slot of await texts.plain((await site.read(page)).slots)) {
      const kind = kindOf(slot);
      if (kind && slot.text.length <= 2 * LONGEST) add(slot.text.replace(/\s+/g, ' ').trim(), kind);
    }
  }
  return [...found.values()];
}

function kindOf({ role, level = 0 }: Slot): NameKind | undefined {
  if (role === 'heading') return level <= DEEPEST_SECTION ? 'heading' : 'item';
  if (role === 'button' || role === 'link') return role;
  return role === 'caption' || role === 'list-item' ? 'item' : undefined;
}
