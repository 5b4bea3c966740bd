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
  const { warnings, site } = context;
  const notesOn = oncePerSource(site, (page) => notesLeft(context, page, before));
  for (const { note } of await notesOn(page))
    warnings.watch(note, async (now) =>
      (await notesOn(now(page.slug)!)).some(
        (left) => left.note.slot === note.slot && left.note.value === note.value && left.holds,
      ),
    );
}

interface NoteLeft {
  note: Note;
  /** Whether the note holds now: that on data only once the page itself shows the value no more. */
  holds: boolean;
}

async function notesLeft(
  { site, texts }: ToolContext,
  page: PageFile,
  before: Slot[],
): Promise<NoteLeft[]> {
  const { slots } = await site.read(page);
  const found = await texts.leftValues(before, slots, []);
  const isOnPage = found.some(({ isData }) => !isData);
  const left = isOnPage
    ? await texts.leftValues(before, slots, await site.ask(page, 'groups'))
    : found;
  const named = new Set(left.map(({ id }) => id));
  const byId = mapById(await texts.plain(slots.filter(({ id }) => named.has(id))));
  return left.map(({ id, value, isData, isShown }) =>
    isData
      ? {
          note: noteOn(page.slug, 'part', `the structured data still states ${quoted(value)}`, {
            value,
          }),
          holds: !isShown,
        }
      : {
          note: noteOn(
            page.slug,
            'part',
            `${describeText(byId.get(id)!, value)} still shows ${quoted(value)}`,
            { slot: id, value },
          ),
          holds: true,
        },
  );
}

/** Finds something on a page again only when its source has changed. */
function oncePerSource<Found>(
  { pageSource }: Pick<ToolContext['site'], 'pageSource'>,
  find: (page: PageFile) => Promise<Found>,
): (page: PageFile) => Promise<Found> {
  let last: { source: string; found: Promise<Found> } | undefined;
  return async (page) => {
    const { source } = await pageSource(page);
    if (last?.source !== source) last = { source, found: find(page) };
    return last.found;
  };
}
