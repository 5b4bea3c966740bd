import type { PageFile } from '../../contract/site.ts';
import { decode, parseReference } from '../../sites/pages/urls.ts';
import { onCode } from '../../errors.ts';
import type { PageChange } from '../../sites/formats/format.ts';
import { isUnseen, type Slot, type SlotRole } from '../../sites/formats/page.ts';
import { noteOn } from '../../contract/task.ts';
import { quoted } from '../../text/text.ts';
import { describeText } from './noteEdit.ts';
import type { ToolContext } from './tool.ts';

/** A page's slots, with texts as readers see them. */
const textsOf = async ({ site, texts }: ToolContext, page: PageFile): Promise<Slot[]> =>
  texts.plain((await site.read(page)).slots);

/**
 * Removes a part of a page, and the structured data that only describes it. Warns about links into
 * the part, and texts that still name it.
 */
export async function removePart(
  context: ToolContext,
  page: PageFile,
  change: PageChange,
): Promise<void> {
  const { site } = context;
  const anchors = await site.query(page, 'anchors');
  const slots = await textsOf(context, page);
  const before = await site.pageSource(page);
  await site.rebuild(page, change);
  const staying = new Set((await textsOf(context, page)).map(({ id }) => id));
  await site.edit(page, 'dropData', before);
  const removed = slots.filter(({ id }) => !staying.has(id));
  await watchNames(context, page, removed);
  await warnOfAnchors(context, page, anchors);
}

/** Notes that another text of the page, or structured data, still names what was removed. */
async function watchNames(context: ToolContext, page: PageFile, removed: Slot[]) {
  for (const slot of namesLeft(removed, await textsOf(context, page))) {
    const { id, text } = slot;
    const says = `${describeText(slot, text)} still names ${quoted(text)}, which was removed`;
    context.warnings.watch(
      noteOn(page.slug, 'part', says, { slot: id, value: text }),
      async (now) =>
        namesLeft(removed, await textsOf(context, now(page.slug)!)).some((left) => left.id === id),
    );
  }
}

/** Texts that are labels of what they lead to or show, not mentions of it. */
const LABELS = new Set<SlotRole>(['link', 'button', 'image-alt']);
/** Most notes on one removed name. */
const MOST_NAMED = 3;

/**
 * The texts that equal the heading of the removed part, such as the column of a table for a card,
 * and structured data that repeats one of its texts which the page shows nowhere else. Not another
 * heading of its level: that one names something else, or a second one.
 */
function namesLeft(removed: Slot[], after: Slot[]): Slot[] {
  const heading = removed.find(({ role }) => role === 'heading');
  const texts = new Set(removed.map(({ text }) => text));
  const shown = new Set(after.filter((slot) => !isData(slot)).map(({ text }) => text));
  const isMention = (slot: Slot) =>
    isData(slot)
      ? texts.has(slot.text) && !shown.has(slot.text)
      : slot.text === heading?.text &&
        !slot.locked &&
        !LABELS.has(slot.role) &&
        !isUnseen(slot.role) &&
        slot.level !== heading.level;
  return after.filter(isMention).slice(0, MOST_NAMED);
}

const isData = ({ role }: Slot) => role === 'structured-data';

/** Warns about links to places that the page no longer has. */
async function warnOfAnchors(
  { site, warnings, texts }: ToolContext,
  page: PageFile,
  before: string[],
) {
  const now = new Set(await site.query(page, 'anchors'));
  const gone = new Set(before.filter((anchor) => !now.has(anchor)));
  if (gone.size === 0) return;
  for (const other of site.files()) {
    const isOwn = other.path === page.path;
    if (!isOwn && !(await texts.mayLeadTo(await site.pageSource(other), page))) continue;
    const links = await site
      .query(other, 'links')
      .catch(onCode(['PAGE_UNREADABLE', 'LIMIT_EXCEEDED'], []));
    for (const link of links) {
      const { fragment, path } = parseReference(link.href);
      const anchor = decode(fragment.slice(1));
      if (!gone.has(anchor) || !(link.slug === page.slug || (isOwn && path === ''))) continue;
      const says = `the link "${link.text}" leads to "${page.slug}#${anchor}", which was removed`;
      warnings.watch(noteOn(other.slug, 'part', says, { value: link.href }), async (now) => {
        const [from, to] = [now(other.slug)!, now(page.slug)];
        const isThere = to && (await site.query(to, 'anchors')).includes(anchor);
        const links = isThere ? [] : await site.query(from, 'links');
        return links.some(({ id, href }) => id === link.id && href === link.href);
      });
    }
  }
}
