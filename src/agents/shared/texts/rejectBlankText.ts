import { invalidInputError } from '../../../errors.ts';
import type { TextSlot, SlotRole } from '../../../sites/formats/pageParts.ts';
import { hasWords, quoteText, showsNothing } from '../../../text/text.ts';
import { type MarkedNode, parseMarks, readPlainText, plainText } from '../text/parseMarks.ts';

/** What a model should do instead of writing a blank text, by the role of the text. */
const adviceByRole: Partial<Record<SlotRole, string>> = {
  title: 'a page needs a title',
  description: 'write what the page is about',
  'image-alt': 'edit_html writes an empty alt for mere decoration',
  'structured-data': 'write what is true',
};

/** Why a text cannot replace another one. */
export const blankTextProblems = {
  blank: (text: string, role: SlotRole) =>
    `The text ${quoteText(text)} would be blank: ${adviceByRole[role] ?? 'edit_html takes away what is not wanted'}`,
  wordless: (text: string, role: SlotRole) =>
    `The text ${quoteText(text)} needs a letter or a number: ${adviceByRole[role] ?? 'write words'}`,
  blankLink: (text: string) =>
    `The text ${quoteText(text)} would have a link without a text: give it words, or take the link away by edit_html`,
};

/**
 * Refuses a new text that would show nothing, or in which a link would have no text. A blank text
 * is not a slot, so no tool could write there again.
 * @param newText the slot's new text, with its inline tags
 * @throws DomainError INVALID_INPUT with a message that says what to do instead
 */
export function rejectBlankText(
  { id, role, text, parts, jsonPath }: TextSlot,
  newText: string,
): void {
  if (newText === text) return;
  const plainWritten = plainText(newText);
  const oldText = plainText(text);
  if (showsNothing(plainWritten)) throw invalidInputError(blankTextProblems.blank(oldText, role));
  const isRunning = jsonPath === undefined && role !== 'title' && !id.includes('.');
  if (!isRunning && !hasWords(plainWritten))
    throw invalidInputError(blankTextProblems.wordless(oldText, role));
  const linkTags = ['a', 'button'];
  const blankLink = listInlineParts(parseMarks(newText) ?? []).find(
    (part) =>
      linkTags.includes(parts[part.number - 1]!) &&
      showsNothing(readPlainText([part])) &&
      listInlineParts([part]).every(({ isVoid }) => !isVoid),
  );
  if (blankLink) throw invalidInputError(blankTextProblems.blankLink(oldText));
}

/** All inline tags of a text, each before those inside it. */
const listInlineParts = (nodes: MarkedNode[]): Exclude<MarkedNode, string>[] =>
  nodes.flatMap((node) =>
    typeof node === 'string' ? [] : [node, ...listInlineParts(node.children)],
  );
