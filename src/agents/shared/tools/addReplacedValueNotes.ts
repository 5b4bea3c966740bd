import { mapById } from '../../../contract/mapById.ts';
import type { PageFile } from '../../../contract/site.ts';
import { type Note, createPageNote } from '../../../contract/task.ts';
import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import { quoteText } from '../../../text/text.ts';
import { type DescribedSlot, describeText } from './describeText.ts';
import type { ToolContext } from './toolContext.ts';

/**
 * Adds notes on texts and structured data of a page that still have a value which was replaced in
 * other texts: a price, a telephone number, an e-mail address or opening hours. A note is tested
 * again when the task ends, and is left out if the value is gone by then.
 * @param slotsBefore the slots that were written, as they were before
 */
export async function addReplacedValueNotes(
  context: ToolContext,
  page: PageFile,
  slotsBefore: TextSlot[],
): Promise<void> {
  for (const note of await createRemainingValueNotes(context, page, slotsBefore))
    context.warnings.addTested(note, async (findPageNow) =>
      (await createRemainingValueNotes(context, findPageNow(page.slug)!, slotsBefore)).some(
        ({ slot, value }) => slot === note.slot && value === note.value,
      ),
    );
}

/** @param slot the text that still has the value, as readers see it */
export const remainingValueSentence = (slot: DescribedSlot, value: string) =>
  `${describeText(slot, value)} still shows ${quoteText(value)}`;

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
    createPageNote(page.slug, 'part', remainingValueSentence(slotsById.get(id)!, value), {
      slot: id,
      value,
    }),
  );
}
