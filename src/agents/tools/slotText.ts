import { invalidInput } from '../../errors.ts';
import type { Slot } from '../../sites/formats/page.ts';
import { fitText } from '../text/fitText.ts';
import { parseMarks, partNumbers, plainText } from '../text/marks.ts';

/**
 * A slot's new text with the slot's parts. If the text has no parts, they are placed automatically.
 * @throws DomainError INVALID_INPUT if only some of the parts are given, or one is broken
 */
export function marked({ text: old, parts }: Slot, text: string): string {
  const nodes = parseMarks(text);
  if (nodes === null) throw brokenParts(parts);
  const given = partNumbers(nodes).sort((a, b) => a - b);
  if (given.length === 0 && parts.length > 0) return fitText(old, parts, plainText(text));
  if (given.length !== parts.length || given.some((number, i) => number !== i + 1))
    throw brokenParts(parts);
  return text;
}

const brokenParts = (parts: string[]) =>
  invalidInput(
    parts.length === 0
      ? 'The slot has no inline parts: write a literal "<1>" as "\\<1>"'
      : `The text must hold each of the parts 1 to ${parts.length} once, properly nested, or none of them`,
  );
