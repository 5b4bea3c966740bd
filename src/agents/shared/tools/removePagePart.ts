import type { PageFile } from '../../../contract/site.ts';
import { decodeUrlPart, parseReference } from '../../../sites/pages/urls/urls.ts';
import { onCode } from '../../../errors.ts';
import type { PageChange } from '../../../sites/formats/format.ts';
import { isUnseenRole, type TextSlot, type SlotRole } from '../../../sites/formats/pageParts.ts';
import { createPageNote } from '../../../contract/task.ts';
import { quoteText } from '../../../text/text.ts';
import { type DescribedSlot, describeText } from './describeText.ts';
import type { ToolContext } from './toolContext.ts';

/** A page's slots, with texts as readers see them. */
const readVisibleTexts = async (
  { site, texts }: ToolContext,
  page: PageFile,
): Promise<TextSlot[]> => texts.plain((await site.read(page)).slots);

/**
 * Removes a part of a page, and the structured data that only describes it. Adds notes on links
 * that lead into the part, and on texts that still name it.
 * @param change the change that removes the part, such as `{ kind: 'remove-section', id }`
 */
export async function removePagePart(
  context: ToolContext,
  page: PageFile,
  change: PageChange,
): Promise<void> {
  const { site } = context;
  const anchorsBefore = await site.query(page, 'anchors');
  const slots = await readVisibleTexts(context, page);
  const sourceBefore = await site.pageSource(page);
  await site.rebuild(page, change);
  const stayingIds = new Set((await readVisibleTexts(context, page)).map(({ id }) => id));
  await site.edit(page, 'dropData', sourceBefore);
  const removedSlots = slots.filter(({ id }) => !stayingIds.has(id));
  await watchRemovedNames(context, page, removedSlots);
  await watchRemovedAnchors(context, page, anchorsBefore);
}

/** What refers to a removed part. */
export const removalSentences = {
  name: (slot: DescribedSlot) =>
    `${describeText(slot, slot.text)} still names ${quoteText(slot.text)}, which was removed`,
  anchor: (linkText: string, target: string) =>
    `the link "${linkText}" leads to "${target}", which was removed`,
};

/** Adds notes on texts and structured data of the page that still name what was removed. */
async function watchRemovedNames(context: ToolContext, page: PageFile, removedSlots: TextSlot[]) {
  for (const slot of findRemainingNames(removedSlots, await readVisibleTexts(context, page))) {
    const { id, text } = slot;
    const sentence = removalSentences.name(slot);
    context.warnings.addTested(
      createPageNote(page.slug, 'part', sentence, { slot: id, value: text }),
      async (findPageNow) =>
        findRemainingNames(
          removedSlots,
          await readVisibleTexts(context, findPageNow(page.slug)!),
        ).some((remaining) => remaining.id === id),
    );
  }
}

/** Roles of texts that label what they lead to or show, and so do not mention the removed part. */
const LABEL_ROLES = new Set<SlotRole>(['link', 'button', 'image-alt']);
/** Most notes on one removed name. */
const MAX_NOTES_PER_NAME = 3;

/**
 * The texts that still name the removed part. They equal its heading, as a table's column for a
 * removed card does. Another heading of the same level does not count, since it names something
 * else. Structured data counts if it repeats a removed text that the page no longer shows.
 */
function findRemainingNames(removedSlots: TextSlot[], remainingSlots: TextSlot[]): TextSlot[] {
  const heading = removedSlots.find(({ role }) => role === 'heading');
  const removedTexts = new Set(removedSlots.map(({ text }) => text));
  const shownTexts = new Set(
    remainingSlots.filter((slot) => !isStructuredData(slot)).map(({ text }) => text),
  );
  const isMention = (slot: TextSlot) =>
    isStructuredData(slot)
      ? removedTexts.has(slot.text) && !shownTexts.has(slot.text)
      : slot.text === heading?.text &&
        !slot.locked &&
        !LABEL_ROLES.has(slot.role) &&
        !isUnseenRole(slot.role) &&
        slot.level !== heading.level;
  return remainingSlots.filter(isMention).slice(0, MAX_NOTES_PER_NAME);
}

const isStructuredData = ({ role }: TextSlot) => role === 'structured-data';

/** Adds notes on links to anchors (ids of elements) that the page no longer has. */
async function watchRemovedAnchors(
  { site, warnings, texts }: ToolContext,
  page: PageFile,
  anchorsBefore: string[],
) {
  const remainingAnchors = new Set(await site.query(page, 'anchors'));
  const goneAnchors = new Set(anchorsBefore.filter((anchor) => !remainingAnchors.has(anchor)));
  if (goneAnchors.size === 0) return;
  for (const otherPage of site.files()) {
    const isOwn = otherPage.path === page.path;
    if (!isOwn && !(await texts.mayLinkTo(await site.pageSource(otherPage), page))) continue;
    const links = await site
      .query(otherPage, 'links')
      .catch(onCode(['PAGE_UNREADABLE', 'LIMIT_EXCEEDED'], []));
    for (const link of links) {
      const { fragment, path } = parseReference(link.href);
      const anchor = decodeUrlPart(fragment.slice(1));
      if (!goneAnchors.has(anchor) || !(link.slug === page.slug || (isOwn && path === '')))
        continue;
      const sentence = removalSentences.anchor(link.text, `${page.slug}#${anchor}`);
      warnings.addTested(
        createPageNote(otherPage.slug, 'part', sentence, { value: link.href }),
        async (findPageNow) => {
          const [from, to] = [findPageNow(otherPage.slug)!, findPageNow(page.slug)];
          const isThere = to && (await site.query(to, 'anchors')).includes(anchor);
          const links = isThere ? [] : await site.query(from, 'links');
          return links.some(({ id, href }) => id === link.id && href === link.href);
        },
      );
    }
  }
}
