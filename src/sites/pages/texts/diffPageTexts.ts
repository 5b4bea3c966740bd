import { type ChangeObject, diffArrays } from 'diff';
import type { TextSlot, SlotRole } from '../../formats/pageParts.ts';
import { plainLine } from './slotText.ts';

/** A changed text of a page. `before` is null for a new one, `after` for a removed one. */
export interface PageTextChange {
  role: SlotRole;
  /** The nearest heading above the text. */
  section: string | null;
  before: string | null;
  after: string | null;
}

/**
 * Pages that differ in more texts are compared role by role instead of aligned. Aligning takes time
 * quadratic in this number.
 */
const MAX_EDITS = 1_000;

/** A text as readers see it. */
export type ComparedText = Pick<TextSlot, 'id' | 'role' | 'level' | 'section'> & { plain: string };

/** A text that differs between two versions of a page: at least one of the two is there. */
export interface DifferingTexts {
  before: ComparedText | null;
  after: ComparedText | null;
}

/**
 * The texts that differ between two versions of a page, as readers see them, in page order:
 * `{ role: 'heading', section: null, before: 'Austin', after: 'Lisbon' }`.
 */
export const diffPageTexts = (oldSlots: TextSlot[], newSlots: TextSlot[]): PageTextChange[] =>
  pairPageTexts(oldSlots, newSlots).map(({ before, after }) => {
    const { role, section } = (after ?? before)!;
    return { role, section, before: before?.plain ?? null, after: after?.plain ?? null };
  });

/** Pairs the texts of two versions of a page, or of a page and its template, that differ. */
export function pairPageTexts(oldSlots: TextSlot[], newSlots: TextSlot[]): DifferingTexts[] {
  const [oldTexts, newTexts] = [oldSlots.map(comparedText), newSlots.map(comparedText)];
  const changeParts = alignTexts(oldTexts, newTexts, (text) => `${text.role} ${text.plain}`);
  return (changeParts ? splitHunks(changeParts) : [{ removed: oldTexts, added: newTexts }]).flatMap(
    pairChanges,
  );
}

const comparedText = ({ id, role, level, section, text }: TextSlot): ComparedText => ({
  id,
  role,
  section,
  plain: plainLine(text),
  ...(level !== undefined && { level }),
});

const alignTexts = (
  oldTexts: ComparedText[],
  newTexts: ComparedText[],
  textKey: (text: ComparedText) => string,
): ChangeObject<ComparedText[]>[] | undefined =>
  diffArrays(oldTexts, newTexts, {
    comparator: (oldText, newText) => textKey(oldText) === textKey(newText),
    maxEditLength: MAX_EDITS,
  });

interface TextHunk {
  removed: ComparedText[];
  added: ComparedText[];
}

/** The texts removed and added between unchanged texts. */
function splitHunks(parts: ChangeObject<ComparedText[]>[]): TextHunk[] {
  const hunks: TextHunk[] = [{ removed: [], added: [] }];
  for (const { removed, added, value } of parts) {
    if (removed) hunks.at(-1)!.removed.push(...value);
    else if (added) hunks.at(-1)!.added.push(...value);
    else hunks.push({ removed: [], added: [] });
  }
  return hunks;
}

/** Pairs removed and added texts of the same role: each pair is one changed text. */
function pairChanges({ removed, added }: TextHunk): DifferingTexts[] {
  const removedByRole = Map.groupBy(removed, ({ role }) => role);
  const changedTexts = added.map((after) => ({
    before: removedByRole.get(after.role)?.shift() ?? null,
    after,
  }));
  const removedTexts = [...removedByRole.values()].flat();
  return [...removedTexts.map((before) => ({ before, after: null })), ...changedTexts].filter(
    ({ before, after }) => before?.plain !== after?.plain,
  );
}
