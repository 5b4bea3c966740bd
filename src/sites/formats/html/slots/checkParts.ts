import { invalidInput } from '../../../invalidInput.ts';
import type { Piece } from '../../../pages/slotText.ts';

/**
 * Checks that a text has all parts of its slot.
 * @param own the marks of the slot's text
 * @throws INVALID_INPUT for a part that is missing, doubled, unknown or nested differently
 */
export function checkParts(own: Piece[], marks: Piece[]) {
  const wanted = nesting(own);
  const given = nesting(marks);
  for (const part of wanted.keys()) if (!given.has(part)) throw broken(`part <${part}> is missing`);
  for (const [part, around] of given)
    if (around !== wanted.get(part))
      throw broken(`part <${part}> is not one of this text's parts, or not at its level`);
}

/** Maps each part's number to its kind and the number of the part around it. */
function nesting(marks: Piece[]): Map<number, string> {
  const stack: number[] = [];
  const found = new Map<number, string>();
  for (const mark of marks) {
    if (mark.kind === 'text') continue;
    if (mark.kind === 'close') {
      if (stack.pop() !== mark.part) throw broken(`part </${mark.part}> closes what is not open`);
      continue;
    }
    if (found.has(mark.part)) throw broken(`part <${mark.part}> stands twice`);
    found.set(mark.part, `${mark.kind} in ${stack.at(-1) ?? 0}`);
    if (mark.kind === 'open') stack.push(mark.part);
  }
  if (stack.length > 0) throw broken(`part <${stack.at(-1)}> is not closed`);
  return found;
}

const broken = (problem: string) =>
  invalidInput(`${problem}; a text must hold every part of its slot once, nested as before`);
