import { defined } from '../../contract/defined.ts';
import { DomainError } from '../../errors.ts';
import type { EditableText, Slot, SlotTexts, TextEdits } from '../formats/page.ts';
import { joinPieces, parsePieces, type Piece } from './slotText.ts';

type Mark = Exclude<Piece, { kind: 'text' }>;

function takeApart(text: string): { texts: string[]; marks: Mark[] } {
  const texts = [''];
  const marks: Mark[] = [];
  for (const piece of parsePieces(text)) {
    if (piece.kind === 'text') texts[texts.length - 1] += piece.text;
    else {
      marks.push(piece);
      texts.push('');
    }
  }
  return { texts, marks };
}

export function editableText({
  id,
  role,
  level,
  section,
  jsonPath,
  text,
  parts,
}: Slot): EditableText {
  const { texts, marks } = takeApart(text);
  const optional = defined({ level, jsonPath });
  return { id, role, section, ...optional, texts, marks: marks.map((mark) => nameOf(mark, parts)) };
}

const nameOf = ({ kind, part }: Mark, parts: string[]) =>
  (kind === 'close' ? '/' : '') + (parts[part - 1] ?? '');

/**
 * Converts edited texts to slots' texts, with every mark at its old place.
 * @throws DomainError INVALID_INPUT for an unknown slot, and for a slot with more or fewer texts
 *   than before
 */
export function slotTexts(slots: Slot[], edits: TextEdits): SlotTexts {
  const byId = new Map(slots.map((slot) => [slot.id, slot]));
  return Object.fromEntries(
    Object.entries(edits).map(([id, texts]) => {
      const slot = byId.get(id);
      if (!slot)
        throw new DomainError('INVALID_INPUT', `The page has no text "${id.slice(0, 40)}"`);
      return [id, putTogether(slot, texts)];
    }),
  );
}

function putTogether({ id, text }: Slot, texts: string[]): string {
  const { marks } = takeApart(text);
  if (texts.length !== marks.length + 1)
    throw new DomainError(
      'INVALID_INPUT',
      `Text ${id} has ${marks.length + 1} texts, ${texts.length} were given`,
    );
  return joinPieces(
    texts.flatMap((text, i) => [{ kind: 'text' as const, text }, ...marks.slice(i, i + 1)]),
  );
}
