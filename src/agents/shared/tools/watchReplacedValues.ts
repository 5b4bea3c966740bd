import { mapById } from '../../../contract/mapById.ts';
import type { PageFile } from '../../../contract/site.ts';
import { type Note, createPageNote } from '../../../contract/task.ts';
import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import { quoteText } from '../../../text/text.ts';
import { describeText } from './describeText.ts';
import type { ToolContext } from './toolContext.ts';

/**
 * Notes which other texts of a page still show a price, a telephone number, an e-mail address or
 * opening hours that was written over, and what structured data still states of them.
 * @param slotsBefore texts of the page, as they were before they were written
 */
export async function watchReplacedValues(
  context: ToolContext,
  page: PageFile,
  slotsBefore: TextSlot[],
): Promise<void> {
  for (const note of await createRemainingValueNotes(context, page, slotsBefore))
    context.warnings.watch(note, async (findPageNow) =>
      (await createRemainingValueNotes(context, findPageNow(page.slug)!, slotsBefore)).some(
        ({ slot, value }) => slot === note.slot && value === note.value,
      ),
    );
}

async function createRemainingValueNotes(
  { site, texts }: ToolContext,
  page: PageFile,
  slotsBefore: TextSlot[],
): Promise<Note[]> {
  const { slots } = await site.read(page);
  const remainingValues = await texts.leftValues(
    slotsBefore,
    slots,
    await site.query(page, 'groups'),
  );
  const slotIds = new Set(remainingValues.map(({ id }) => id));
  const slotsById = mapById(await texts.plain(slots.filter(({ id }) => slotIds.has(id))));
  return remainingValues.map(({ id, value }) =>
    createPageNote(
      page.slug,
      'part',
      `${describeText(slotsById.get(id)!, value)} still shows ${quoteText(value)}`,
      { slot: id, value },
    ),
  );
}
