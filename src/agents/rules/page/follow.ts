import type { Slot } from '../../../sites/pages/format.ts';
import { isHeadline } from '../../../sites/pages/format.ts';
import { foldWords } from '../../text/fold.ts';
import { plainText } from '../../text/marks.ts';
import { findWords, replaceSpans } from '../../text/words.ts';
import type { Filling } from './filling.ts';

/**
 * Texts in the page's head that follow a text that was given: previews and structured data that repeat it, the
 * preview's title and description, and a title that has the headline in it. What was given itself is not touched.
 */
export function followGiven(filling: Filling) {
  const { slots, texts } = filling;
  const own = [...texts].filter(([slot, text]) => text !== '' && !isClone(slot));
  const given = new Map(own.map(([slot, text]) => [foldWords(plainText(slot.text)), text]));
  const of = (found: (slot: Slot) => boolean) => slots.find((slot) => texts.has(slot) && found(slot));
  const headline = of(isHeadline);
  const title = of(({ role }) => role === 'title');
  const description = of(({ role }) => role === 'description');
  const isFollower = ({ role }: Slot) =>
    ['title', 'social-title', 'social-description', 'structured-data'].includes(role);
  for (const slot of slots.filter((slot) => isFollower(slot) && !texts.has(slot))) {
    const same = slot.text.length > 3 ? given.get(foldWords(plainText(slot.text))) : undefined;
    const leader =
      slot.role === 'social-title'
        ? title
        : slot.role === 'social-description' || /^(?:@graph\[\d+\]\.)?description$/.test(slot.jsonPath ?? '')
          ? description
          : undefined;
    const text =
      (leader && texts.get(leader)) ?? same ?? (headline && withHeadline(slot, headline, texts.get(headline)!));
    if (text !== undefined) filling.put(slot, text);
  }
}

const isClone = ({ id }: Slot) => id.includes('+');

/** `Old headline | Brand` -> `New headline | Brand`; an article's headline in structured data is the page's. */
function withHeadline(slot: Slot, headline: Slot, text: string): string | undefined {
  if (/(?:^|\.)headline$/.test(slot.jsonPath ?? '')) return text;
  if (slot.role !== 'title' && slot.role !== 'social-title') return undefined;
  const plain = plainText(slot.text);
  const [found] = findWords(plain, plainText(headline.text), { anyCase: true });
  return found && replaceSpans(plain, [{ ...found, text }]);
}
