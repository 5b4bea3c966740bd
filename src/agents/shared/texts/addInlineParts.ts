import { invalidInputError } from '../../../errors.ts';
import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import { fitText } from '../text/fitText.ts';
import { parseMarks, listPartNumbers, plainText } from '../text/parseMarks.ts';

/**
 * Checks that a slot's new text has the inline tags of the old one, which are numbered. If it has
 * none, they are placed automatically: if the slot is `Web design in <1>Austin</1>`, the new text
 * `Web design in Lisbon` becomes `Web design in <1>Lisbon</1>`.
 * @returns the new text with its inline tags
 * @throws DomainError INVALID_INPUT if only some of the tags are given, or one is broken
 */
export function addInlineParts({ text: oldText, parts }: TextSlot, text: string): string {
  const nodes = parseMarks(text);
  if (nodes === null) throw createBrokenPartsError(parts);
  const givenNumbers = listPartNumbers(nodes).sort((left, right) => left - right);
  if (givenNumbers.length === 0 && parts.length > 0)
    return fitText(oldText, parts, plainText(text));
  if (
    givenNumbers.length !== parts.length ||
    givenNumbers.some((number, index) => number !== index + 1)
  )
    throw createBrokenPartsError(parts);
  return text;
}

const createBrokenPartsError = (parts: string[]) =>
  invalidInputError(
    parts.length === 0
      ? 'The slot has no inline tags: write a literal "<1>" as "\\<1>"'
      : `The text must contain each of the inline tags 1 to ${parts.length} once and properly nested, or none of them`,
  );
