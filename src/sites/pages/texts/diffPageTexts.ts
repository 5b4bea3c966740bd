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

type ComparedText = Pick<TextSlot, 'role' | 'section'> & { plain: string };

/**
 * The texts that differ between two versions of a page, as readers see them, in page order:
 * `{ role: 'heading', section: null, before: 'Austin', after: 'Lisbon' }`.
 */
export function diffPageTexts(oldSlots: TextSlot[], newSlots: TextSlot[]): PageTextChange[] {
  const [oldTexts, newTexts] = [oldSlots.map(comparedText), newSlots.map(comparedText)];
  const changeParts = alignTexts(oldTexts, newTexts, (text) => `${text.role} ${text.plain}`);
  return (changeParts ? splitHunks(changeParts) : [{ removed: oldTexts, added: newTexts }]).flatMap(
    pairChanges,
  );
}

const comparedText = ({ role, section, text }: TextSlot): ComparedText => ({
  role,
  section,
  plain: plainLine(text),
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
function pairChanges({ removed, added }: TextHunk): PageTextChange[] {
  const removedByRole = Map.groupBy(removed, ({ role }) => role);
  const changedTexts = added.map(({ role, section, plain }) => {
    const removedText = removedByRole.get(role)?.shift();
    return { role, section, before: removedText?.plain ?? null, after: plain };
  });
  const removedTexts = [...removedByRole.values()].flat();
  return [
    ...removedTexts.map(({ role, section, plain }) => ({
      role,
      section,
      before: plain,
      after: null,
    })),
    ...changedTexts,
  ].filter((change) => change.before !== change.after);
}
