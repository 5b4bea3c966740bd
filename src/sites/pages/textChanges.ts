import { type ChangeObject, diffArrays } from 'diff';
import type { Slot, SlotRole } from '../formats/page.ts';
import { plainLine } from './slotText.ts';

/** A changed text of a page. `before` is null for a new one, `after` for a removed one. */
export interface TextChange {
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
const EDITS = 1_000;

type Text = Pick<Slot, 'role' | 'section'> & { plain: string };

/** The texts that differ between two versions of a page, as readers see them, in page order. */
export function textChanges(before: Slot[], after: Slot[]): TextChange[] {
  const [old, now] = [before.map(textOf), after.map(textOf)];
  const parts = align(old, now, (text) => `${text.role} ${text.plain}`);
  return (parts ? hunksOf(parts) : [{ removed: old, added: now }]).flatMap(changesIn);
}

const textOf = ({ role, section, text }: Slot): Text => ({ role, section, plain: plainLine(text) });

const align = (
  before: Text[],
  after: Text[],
  keyOf: (text: Text) => string,
): ChangeObject<Text[]>[] | undefined =>
  diffArrays(before, after, { comparator: (a, b) => keyOf(a) === keyOf(b), maxEditLength: EDITS });

interface Hunk {
  removed: Text[];
  added: Text[];
}

/** The texts removed and added between unchanged texts. */
function hunksOf(parts: ChangeObject<Text[]>[]): Hunk[] {
  const hunks: Hunk[] = [{ removed: [], added: [] }];
  for (const { removed, added, value } of parts) {
    if (removed) hunks.at(-1)!.removed.push(...value);
    else if (added) hunks.at(-1)!.added.push(...value);
    else hunks.push({ removed: [], added: [] });
  }
  return hunks;
}

/** Pairs removed and added texts of the same role: each pair is one changed text. */
function changesIn({ removed, added }: Hunk): TextChange[] {
  const waiting = Map.groupBy(removed, ({ role }) => role);
  const changed = added.map(({ role, section, plain }) => {
    const before = waiting.get(role)?.shift();
    return { role, section, before: before?.plain ?? null, after: plain };
  });
  const gone = [...waiting.values()].flat();
  return [
    ...gone.map(({ role, section, plain }) => ({ role, section, before: plain, after: null })),
    ...changed,
  ].filter((change) => change.before !== change.after);
}
