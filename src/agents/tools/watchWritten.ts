import { mapById } from '../../contract/mapById.ts';
import type { PageFile } from '../../contract/site.ts';
import { type Note, noteOn, valuesOf } from '../../contract/task.ts';
import type { Slot } from '../../sites/formats/page.ts';
import { isPriceAt } from '../../sites/pages/priceData.ts';
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
  await watchTimes(context, page, before);
  await watchCurrencies(
    context,
    page,
    before.map(({ id }) => id),
  );
}

/**
 * Notes that structured data still states a written price in another currency.
 * @param written ids of the written texts
 */
export async function watchCurrencies(
  { site, texts, warnings }: ToolContext,
  page: PageFile,
  written: string[],
): Promise<void> {
  const notesOn = oncePerSource(site, async (page) => {
    const { slots } = await site.read(page);
    if (!slots.some(({ jsonPath }) => isPriceAt(jsonPath))) return [];
    const stale = await texts.staleCurrencies(written, slots, await site.ask(page, 'currencies'));
    return stale.map(({ price, currency }) =>
      noteOn(
        page.slug,
        'structured-data',
        `the structured data still states ${quoted(price)} in ${quoted(currency)}`,
        { values: [price, currency] },
      ),
    );
  });
  for (const note of await notesOn(page))
    warnings.watch(note, async (now) =>
      (await notesOn(now(page.slug)!)).some((left) => isSameValues(left, note)),
    );
}

const isSameValues = (a: Note, b: Note) => valuesOf(a).join('\n') === valuesOf(b).join('\n');

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
          note: noteOn(
            page.slug,
            'structured-data',
            `the structured data still states ${quoted(value)}`,
            { value },
          ),
          holds: !isShown,
        }
      : {
          note: noteOn(
            page.slug,
            'left',
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

/** Notes that structured data still states times which the page shows no more. */
export async function watchTimes(
  { site, texts, warnings }: ToolContext,
  page: PageFile,
  before: Slot[],
): Promise<void> {
  const stale = async (page: PageFile) => texts.staleTimes(before, (await site.read(page)).slots);
  for (const value of await stale(page)) {
    const says = `the structured data still states the hours ${quoted(value)}`;
    warnings.watch(noteOn(page.slug, 'structured-data', says, { value }), async (now) =>
      (await stale(now(page.slug)!)).includes(value),
    );
  }
}
