import { invalidInput } from '../invalidInput.ts';
import type { TextPiece } from '../pages/texts/slotText.ts';

/**
 * Checks that a new text has all numbered parts (inline tags such as `<1>us</1>`) of its slot.
 * @param originalMarks the marks (`<1>`, `</1>`, `<2/>`) of the slot's text
 * @param marks the marks of the new text; pieces of plain text are ignored
 * @throws INVALID_INPUT for a part that is missing, duplicate, unknown or nested differently
 */
export function checkParts(originalMarks: TextPiece[], marks: TextPiece[]) {
  const expected = readNesting(originalMarks);
  const actual = readNesting(marks);
  for (const part of expected.keys())
    if (!actual.has(part)) throw brokenPartsError(`part <${part}> is missing`);
  for (const [part, parent] of actual)
    if (parent !== expected.get(part))
      throw brokenPartsError(`part <${part}> does not belong to this text, or not at this level`);
}

/** Maps each part's number to its kind and the number of the part around it. */
function readNesting(marks: TextPiece[]): Map<number, string> {
  const stack: number[] = [];
  const nestingByPart = new Map<number, string>();
  for (const mark of marks) {
    if (mark.kind === 'text') continue;
    if (mark.kind === 'close') {
      if (stack.pop() !== mark.part)
        throw brokenPartsError(`part </${mark.part}> is closed but not open`);
      continue;
    }
    if (nestingByPart.has(mark.part)) throw brokenPartsError(`part <${mark.part}> occurs twice`);
    nestingByPart.set(mark.part, `${mark.kind} in ${stack.at(-1) ?? 0}`);
    if (mark.kind === 'open') stack.push(mark.part);
  }
  if (stack.length > 0) throw brokenPartsError(`part <${stack.at(-1)}> is not closed`);
  return nestingByPart;
}

const brokenPartsError = (problem: string) =>
  invalidInput(`${problem}: a text must contain every part of its slot once, nested as before`);
