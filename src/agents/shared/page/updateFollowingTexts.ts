import { type TextSlot, isHeadline } from '../../../sites/formats/pageParts.ts';
import { isHoursAt } from '../../../sites/pages/texts/hoursData.ts';
import { foldWords } from '../text/foldText.ts';
import { plainText } from '../text/parseMarks.ts';
import { findWords, replaceSpans } from '../text/textSpans.ts';
import type { PageFilling } from './pageFilling.ts';

const FOLLOWING_ROLES = ['social-title', 'social-description', 'image-alt', 'structured-data'];

/**
 * Updates texts in the page's head that follow a text with a new one: first a title that contains
 * the headline, then previews and structured data that repeat one of both, and the preview's title
 * and description. Texts that already have a new one stay.
 */
export function updateFollowingTexts(filling: PageFilling) {
  const { slots, texts } = filling;
  const listUnwrittenSlots = () => slots.filter((slot) => !texts.has(slot));
  const headings = slots.filter(isHeadline);
  const headline = (headings.length > 0 ? headings : slots).find(
    (slot) => texts.has(slot) && slot.role === 'heading',
  );
  const [title] = listUnwrittenSlots().filter(({ role }) => role === 'title');
  const newTitle = title && headline && replaceHeadline(title, headline, texts.get(headline)!);
  const isTitled = slots.some((slot) => slot.role === 'title' && texts.has(slot));
  if (newTitle !== undefined) filling.put(title!, newTitle);
  const leadingSlots = slots.filter(
    (slot) => texts.has(slot) && texts.get(slot) !== '' && isLeadingSlot(slot),
  );
  // the first one leads, where several said the same
  const newTextsByOld = new Map(
    leadingSlots.toReversed().map((slot) => [foldWords(plainText(slot.text)), texts.get(slot)!]),
  );
  for (const slot of listUnwrittenSlots().filter(
    ({ role, id }) =>
      FOLLOWING_ROLES.includes(role) && (role !== 'image-alt' || id.endsWith('.content')),
  )) {
    const repeatedText =
      slot.text.length > 3 ? newTextsByOld.get(foldWords(plainText(slot.text))) : undefined;
    const leader = findLeadingSlot(slot, slots, { isTitled });
    const newText =
      (leader && texts.get(leader)) ??
      repeatedText ??
      (headline && replaceHeadline(slot, headline, texts.get(headline)!));
    if (newText !== undefined && !isHoursAt(slot.jsonPath)) filling.put(slot, newText);
  }
}

/**
 * The text that a preview's text follows, whatever it said before: the title or the description, if
 * the context gives it.
 */
function findLeadingSlot(
  { role, jsonPath = '' }: TextSlot,
  slots: readonly TextSlot[],
  { isTitled }: { isTitled: boolean },
): TextSlot | undefined {
  const isDescription =
    role === 'social-description' || /^(?:@graph\[\d+\]\.)?description$/.test(jsonPath);
  const leading =
    role === 'social-title' && isTitled ? 'title' : isDescription ? 'description' : undefined;
  return slots.find((slot) => slot.role === leading);
}

/** Whether other texts follow one: no text of a clone, and no hours, which several days share. */
const isLeadingSlot = ({ id, jsonPath }: TextSlot) => !id.includes('+') && !isHoursAt(jsonPath);

/**
 * Replaces the headline in a title: `Old headline | Brand` -> `New headline | Brand`. An article's
 * headline in structured data becomes the page's headline.
 */
function replaceHeadline(slot: TextSlot, headline: TextSlot, text: string): string | undefined {
  if (/(?:^|\.)headline$/.test(slot.jsonPath ?? '')) return text;
  if (slot.role !== 'title' && slot.role !== 'social-title') return undefined;
  const plain = plainText(slot.text);
  const [match] = findWords(plain, plainText(headline.text), { anyCase: true });
  return match && replaceSpans(plain, [{ ...match, text }]);
}
