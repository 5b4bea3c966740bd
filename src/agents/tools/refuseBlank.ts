import { invalidInput } from '../../errors.ts';
import type { Slot, SlotRole } from '../../sites/formats/page.ts';
import { hasWords, quoted, showsNothing } from '../../text/text.ts';
import { type Node, parseMarks, plainOf, plainText } from '../text/marks.ts';

const REMOVE = 'edit_html takes away what is not wanted';
/** What to do where a text is not wanted, by its role. */
const instead: Partial<Record<SlotRole, string>> = {
  title: 'a page needs a title',
  description: 'write what the page is about',
  'image-alt': 'edit_html writes an empty alt for mere decoration',
  'structured-data': 'write what is true',
};

/**
 * Refuses a text that would show nothing, or a link in it without a text: no tool could write there
 * again.
 * @param written the slot's new text, with its parts
 * @throws DomainError INVALID_INPUT that says what to do instead
 */
export function refuseBlank({ id, role, text, parts, jsonPath }: Slot, written: string): void {
  if (written === text) return;
  const plain = plainText(written);
  const problem = (what: string, advice: string) =>
    invalidInput(`The text ${quoted(plainText(text))} ${what}: ${advice}`);
  if (showsNothing(plain)) throw problem('would be blank', instead[role] ?? REMOVE);
  const isRunning = jsonPath === undefined && role !== 'title' && !id.includes('.');
  if (!isRunning && !hasWords(plain))
    throw problem('needs a letter or a number', instead[role] ?? 'write words');
  const links = ['a', 'button'];
  const blank = partsOf(parseMarks(written) ?? []).find(
    (part) =>
      links.includes(parts[part.number - 1]!) &&
      showsNothing(plainOf([part])) &&
      partsOf([part]).every(({ isVoid }) => !isVoid),
  );
  if (blank)
    throw problem(
      'would have a link without a text',
      'give it words, or take the link away by edit_html',
    );
}

/** All parts of a text, each before those in it. */
const partsOf = (nodes: Node[]): Exclude<Node, string>[] =>
  nodes.flatMap((node) => (typeof node === 'string' ? [] : [node, ...partsOf(node.children)]));
