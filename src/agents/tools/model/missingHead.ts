import type { PageFile } from '../../../contract/site.ts';
import type { HeadText, Slot, SlotTexts } from '../../../sites/formats/page.ts';
import type { ToolContext } from '../tool.ts';

const PREFIX = 'head.';

/** Whether an id is that of a text of the head that a page may lack: `head.description`. */
export const isHeadId = (id: string): boolean => id.startsWith(PREFIX);

/** The texts of the head that a page lacks or has empty, as slots without a text. */
export async function missingHead(site: ToolContext['site'], page: PageFile): Promise<Slot[]> {
  const missing = await site.ask(page, 'missingHead');
  return missing.map((role) => ({
    id: PREFIX + role,
    role,
    section: null,
    text: '',
    parts: [],
    locked: false,
  }));
}

/** Divides texts into those of the head that the page lacks, by their names, and all others. */
export function apartFromHead(texts: SlotTexts): {
  head: Partial<Record<HeadText, string>>;
  own: SlotTexts;
} {
  const [head, own] = [true, false].map((isHead) =>
    Object.entries(texts).filter(([id]) => isHeadId(id) === isHead),
  ) as [[string, string][], [string, string][]];
  return {
    head: Object.fromEntries(head.map(([id, text]) => [id.slice(PREFIX.length), text])),
    own: Object.fromEntries(own),
  };
}
