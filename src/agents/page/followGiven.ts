import { type Slot, isHeadline } from '../../sites/formats/page.ts';
import { isHoursAt } from '../../sites/pages/hoursData.ts';
import { foldWords } from '../text/fold.ts';
import { plainText } from '../text/marks.ts';
import { findWords, replaceSpans } from '../text/spans.ts';
import type { Filling } from './filling.ts';

const FOLLOWERS = ['social-title', 'social-description', 'image-alt', 'structured-data'];

/**
 * Updates texts in the page's head that follow a given text: first a title that contains the
 * headline, then previews and structured data that repeat one of both, and the preview's title and
 * description. Given texts stay.
 */
export function followGiven(filling: Filling) {
  const { slots, texts } = filling;
  const free = () => slots.filter((slot) => !texts.has(slot));
  const headings = slots.filter(isHeadline);
  const headline = (headings.length > 0 ? headings : slots).find(
    (slot) => texts.has(slot) && slot.role === 'heading',
  );
  const [title] = free().filter(({ role }) => role === 'title');
  const entitled = title && headline && withHeadline(title, headline, texts.get(headline)!);
  const isTitled = slots.some((slot) => slot.role === 'title' && texts.has(slot));
  if (entitled !== undefined) filling.put(title!, entitled);
  const own = slots.filter((slot) => texts.has(slot) && texts.get(slot) !== '' && isLeading(slot));
  // the first one leads, where several said the same
  const given = new Map(
    own.toReversed().map((slot) => [foldWords(plainText(slot.text)), texts.get(slot)!]),
  );
  for (const slot of free().filter(
    ({ role, id }) => FOLLOWERS.includes(role) && (role !== 'image-alt' || id.endsWith('.content')),
  )) {
    const same = slot.text.length > 3 ? given.get(foldWords(plainText(slot.text))) : undefined;
    const leader = leaderOf(slot, slots, { isTitled });
    const text =
      (leader && texts.get(leader)) ??
      same ??
      (headline && withHeadline(slot, headline, texts.get(headline)!));
    if (text !== undefined && !isHoursAt(slot.jsonPath)) filling.put(slot, text);
  }
}

/**
 * The text that a preview's text follows, whatever it said before: the title or the description, if
 * the context gives it.
 */
function leaderOf(
  { role, jsonPath = '' }: Slot,
  slots: readonly Slot[],
  { isTitled }: { isTitled: boolean },
): Slot | undefined {
  const isDescription =
    role === 'social-description' || /^(?:@graph\[\d+\]\.)?description$/.test(jsonPath);
  const leading =
    role === 'social-title' && isTitled ? 'title' : isDescription ? 'description' : undefined;
  return slots.find((slot) => slot.role === leading);
}

/** Whether other texts follow one: no text of a clone, and no hours, which several days share. */
const isLeading = ({ id, jsonPath }: Slot) => !id.includes('+') && !isHoursAt(jsonPath);

/**
 * Replaces the headline in a title: `Old headline | Brand` -> `New headline | Brand`. An article's
 * headline in structured data becomes the page's headline.
 */
function withHeadline(slot: Slot, headline: Slot, text: string): string | undefined {
  if (/(?:^|\.)headline$/.test(slot.jsonPath ?? '')) return text;
  if (slot.role !== 'title' && slot.role !== 'social-title') return undefined;
  const plain = plainText(slot.text);
  const [found] = findWords(plain, plainText(headline.text), { anyCase: true });
  return found && replaceSpans(plain, [{ ...found, text }]);
}
