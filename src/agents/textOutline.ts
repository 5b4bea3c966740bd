import type { OutlineRequest, TextOutline } from '../contract/check.ts';
import { visible } from '../contract/visible.ts';
import { notFound } from '../errors.ts';
import { isUnseen, type Slot } from '../sites/formats/page.ts';
import { cut, inLine } from '../text/text.ts';
import { plainText } from './text/marks.ts';

/** The most texts and characters of an answer, and the most characters of one text. */
const MOST = 200;
const LONGEST = 24_000;
const LONGEST_TEXT = 4_000;

/** A text this many times as long as the old one may break the layout. */
const MUCH_LONGER = 1.5;
const LONGER = 20;

/** The most characters of a text in the place of one that has `before`. */
const usefulLength = (before: number) =>
  Math.floor(Math.max(before * MUCH_LONGER, before + LONGER));

const kindOf = ({ role, level, jsonPath }: Slot) =>
  jsonPath ?? (level === undefined ? role : `h${level}`);

/**
 * The texts of a template, those that visitors see first. The site's chrome has a part of its own.
 * @throws DomainError NOT_FOUND if the part has no text with the id `from`
 */
export function outlineTexts(
  slots: readonly Slot[],
  { part = 'texts', from }: Pick<OutlineRequest, 'part' | 'from'>,
): TextOutline {
  const own = slots.filter(({ locked }) => locked === (part === 'chrome'));
  const [unseen = [], seen = []] = [true, false].map((hidden) =>
    own.filter(({ role }) => isUnseen(role) === hidden),
  );
  const all =
    part === 'head'
      ? unseen.filter(({ role }) => role !== 'structured-data')
      : [...seen, ...unseen];
  const first = from === undefined ? 0 : all.findIndex(({ id }) => id === from);
  if (first === -1) throw notFound(`there is no text "${cut(from!, 40)}" to read on from`);
  const lines: string[] = [];
  const maxLengths: Record<string, number> = {};
  let length = 0;
  for (const slot of all.slice(first)) {
    const text = visible(plainText(slot.text));
    const line = `${slot.id} ${inLine(kindOf(slot))} ${inLine(cut(text, LONGEST_TEXT))}`;
    length += line.length + 1;
    if (lines.length === MOST || (length > LONGEST && lines.length > 0))
      return { outline: lines.join('\n'), maxLengths, nextFrom: slot.id };
    lines.push(line);
    maxLengths[slot.id] = usefulLength(text.length);
  }
  return { outline: lines.join('\n'), maxLengths, nextFrom: null };
}
