import { mapById } from '../../contract/mapById.ts';
import type { PageFile } from '../../contract/site.ts';
import { type Note, noteOn } from '../../contract/task.ts';
import type { Slot } from '../../sites/formats/page.ts';
import { quoted } from '../../text/text.ts';
import { describeText } from './noteEdit.ts';
import type { ToolContext } from './tool.ts';

/**
 * Notes which other texts of a page still show a price, a telephone number, an e-mail address or
 * opening hours that was written over, and what structured data still states of them.
 * @param before texts of the page, as they were before they were written
 */
export async function watchWritten(
  context: ToolContext,
  page: PageFile,
  before: Slot[],
): Promise<void> {
  for (const note of await notesLeft(context, page, before))
    context.warnings.watch(note, async (now) =>
      (await notesLeft(context, now(page.slug)!, before)).some(
        ({ slot, value }) => slot === note.slot && value === note.value,
      ),
    );
}

async function notesLeft(
  { site, texts }: ToolContext,
  page: PageFile,
  before: Slot[],
): Promise<Note[]> {
  const { slots } = await site.read(page);
  const left = await texts.leftValues(before, slots, await site.query(page, 'groups'));
  const named = new Set(left.map(({ id }) => id));
  const byId = mapById(await texts.plain(slots.filter(({ id }) => named.has(id))));
  return left.map(({ id, value }) =>
    noteOn(
      page.slug,
      'part',
      `${describeText(byId.get(id)!, value)} still shows ${quoted(value)}`,
      { slot: id, value },
    ),
  );
}
