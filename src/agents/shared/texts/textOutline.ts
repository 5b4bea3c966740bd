import type { OutlineRequest, TextOutline } from '../../../contract/checks.ts';
import { removeInvisible } from '../../../contract/text/removeInvisible.ts';
import { notFoundError } from '../../../errors.ts';
import { isUnseenRole, type TextSlot } from '../../../sites/formats/pageParts.ts';
import { truncateText, asOneLine } from '../../../text/text.ts';
import { plainText } from '../text/parseMarks.ts';

/** The most texts of an answer. */
const MAX_LINES = 200;
/** The most characters of an answer. */
const MAX_OUTLINE_LENGTH = 24_000;
/** The most characters of one text. */
const MAX_TEXT_LENGTH = 4_000;

/** A text this many times as long as the old one may break the layout. */
const MAX_LENGTH_FACTOR = 1.5;
const ALLOWED_EXTRA_LENGTH = 20;

/** The most characters that a new text should have if the old one has `oldLength`. */
const measureUsefulLength = (oldLength: number) =>
  Math.floor(Math.max(oldLength * MAX_LENGTH_FACTOR, oldLength + ALLOWED_EXTRA_LENGTH));

const describeKind = ({ role, level, jsonPath }: TextSlot) =>
  jsonPath ?? (level === undefined ? role : `h${level}`);

/**
 * Lists the texts of a page as lines, such as `s57 h3 Starter`. Texts that visitors see come before
 * those of the page's head. A long list ends with `nextFrom`: the id from which to continue.
 * @param request.part `chrome`: what the page shares with other pages, such as its menu. `head`:
 *   its title and description. By default, all texts except the chrome
 * @throws DomainError NOT_FOUND if the part has no text with the id `from`
 */
export function createTextOutline(
  slots: readonly TextSlot[],
  { part = 'texts', from }: Pick<OutlineRequest, 'part' | 'from'>,
): TextOutline {
  const partSlots = slots.filter(({ locked }) => locked === (part === 'chrome'));
  const [unseenSlots = [], seenSlots = []] = [true, false].map((areUnseen) =>
    partSlots.filter(({ role }) => isUnseenRole(role) === areUnseen),
  );
  const orderedSlots =
    part === 'head'
      ? unseenSlots.filter(({ role }) => role !== 'structured-data')
      : [...seenSlots, ...unseenSlots];
  const firstIndex = from === undefined ? 0 : orderedSlots.findIndex(({ id }) => id === from);
  if (firstIndex === -1)
    throw notFoundError(`the page has no text "${truncateText(from!, 40)}" to continue from`);
  const lines: string[] = [];
  const maxLengths: Record<string, number> = {};
  let length = 0;
  for (const slot of orderedSlots.slice(firstIndex)) {
    const text = removeInvisible(plainText(slot.text));
    const line = `${slot.id} ${asOneLine(describeKind(slot))} ${asOneLine(truncateText(text, MAX_TEXT_LENGTH))}`;
    length += line.length + 1;
    if (lines.length === MAX_LINES || (length > MAX_OUTLINE_LENGTH && lines.length > 0))
      return { outline: lines.join('\n'), maxLengths, nextFrom: slot.id };
    lines.push(line);
    maxLengths[slot.id] = measureUsefulLength(text.length);
  }
  return { outline: lines.join('\n'), maxLengths, nextFrom: null };
}
