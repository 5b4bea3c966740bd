import type { PageFile } from '../../contract/site.ts';
import type { Slot } from '../../sites/formats/page.ts';
import type { ToolContext } from './tool.ts';

/** The slots of a page, with their texts as a reader sees them. */
export const textsOf = async ({ site, texts }: ToolContext, page: PageFile): Promise<Slot[]> =>
  texts.plain((await site.read(page)).slots);

/** Whether structured data says a text that was removed. */
export function stillInData(before: Slot[], after: Slot[]): boolean {
  const ids = new Set(after.map(({ id }) => id));
  const data = new Set(
    after.filter(({ role }) => role === 'structured-data').map(({ text }) => text),
  );
  return before.some(({ id, text }) => !ids.has(id) && data.has(text));
}
