import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { DomainError, invalidInputError } from '../../../errors.ts';
import type { EditableSlot, TextSlot, SlotTexts, TextEdits } from '../../formats/pageParts.ts';
import { joinAtMarks, splitText, type TextMark } from './slotText.ts';

/*
 * The texts of a page in the form that people edit. A slot's text has marks for its inline tags,
 * such as `Call <1>us</1> now`. People get it split at these marks, as `['Call ', 'us', ' now']`,
 * and send the pieces back.
 */

/** Splits the text of a slot into the pieces that people edit, and names the tags between them. */
export function toEditableSlot({
  id,
  role,
  level,
  section,
  jsonPath,
  text,
  parts,
}: TextSlot): EditableSlot {
  const { texts, marks } = splitText(text);
  const optionalFields = withoutUndefined({ level, jsonPath });
  return {
    id,
    role,
    section,
    ...optionalFields,
    texts,
    marks: marks.map((mark) => markName(mark, parts)),
  };
}

const markName = ({ kind, part }: TextMark, parts: string[]) =>
  (kind === 'close' ? '/' : '') + (parts[part - 1] ?? '');

/**
 * Joins edited pieces to the texts of their slots again. Every mark stays where it was.
 * @throws DomainError INVALID_INPUT for an unknown slot, and for a slot with more or fewer texts
 *   than before
 */
export function toSlotTexts(slots: TextSlot[], edits: TextEdits): SlotTexts {
  const slotsById = new Map(slots.map((slot) => [slot.id, slot]));
  return Object.fromEntries(
    Object.entries(edits).map(([id, texts]) => {
      const slot = slotsById.get(id);
      if (!slot) throw unknownTextError(id);
      return [id, joinTexts(slot, texts)];
    }),
  );
}

export const unknownTextError = (id: string) =>
  invalidInputError(`The page has no text "${id.slice(0, 40)}"`);

function joinTexts({ id, text }: TextSlot, texts: string[]): string {
  const { marks } = splitText(text);
  if (texts.length !== marks.length + 1)
    throw new DomainError(
      'INVALID_INPUT',
      `The text ${id} has ${marks.length + 1} pieces, but the request has ${texts.length}`,
    );
  return joinAtMarks(texts, marks);
}
