import { mapById } from '../../../contract/mapById.ts';
import { DomainError, invalidInput } from '../../../errors.ts';
import { followersOf } from '../../../sites/formats/followers.ts';
import type { Slot, SlotRole, SlotTexts } from '../../../sites/formats/page.ts';
import { hoursProblem } from '../../../sites/pages/hoursData.ts';
import { escapeMarks } from '../../../sites/pages/slotText.ts';
import { plainText } from '../../text/marks.ts';
import { marked } from '../slotText.ts';
import type { TextEdit, TextPlan } from '../textsPort.ts';
import { refuseBlank, remarksOn } from './textRemarks.ts';

/** A text this many times as long as the old one may break the layout. */
const MUCH_LONGER = 1.5;
const LONGER = 20;

/**
 * Plans a page's texts when some are written. Texts for other sites and search engines that
 * equalled a written text get the new text too.
 * @throws DomainError INVALID_INPUT naming the text whose parts are broken, or that is given twice
 */
export function planTexts(slots: Slot[], edits: TextEdit[]): TextPlan {
  const byId = mapById(slots);
  const plan: TextPlan = {
    texts: {},
    unknown: [],
    unchanged: [],
    followed: [],
    longer: [],
    remarks: [],
  };
  const given = new Set<string>();
  const followed = new Map<string, Map<string, Set<SlotRole>>>();
  for (const { id, text } of edits) {
    const slot = byId.get(id);
    if (given.has(id)) throw invalidInput(`${id.slice(0, 40)} is given twice`);
    given.add(id);
    if (!slot) {
      plan.unknown.push(id);
      continue;
    }
    const written = fitted(slot, text);
    const [old, now] = [plainText(slot.text), plainText(written)];
    const problem = written === slot.text ? undefined : hoursProblem(slot.jsonPath, now);
    if (problem !== undefined) throw invalidInput(`${id}: ${problem}`);
    refuseBlank(slot, written);
    plan.remarks.push(...remarksOn(slot, written));
    if (written === slot.text) plan.unchanged.push(id);
    else plan.texts[id] = written;
    if (now.length > Math.max(old.length * MUCH_LONGER, old.length + LONGER))
      plan.longer.push({ id, before: old.length, after: now.length });
    if (old !== now && old !== '') follow(followed, old, now, followersOf(slot));
  }
  for (const slot of slots) {
    const [[now, roles] = [], other] = followed.get(plainText(slot.text)) ?? [];
    if (given.has(slot.id) || now === undefined || other || !roles?.has(slot.role)) continue;
    if (hoursProblem(slot.jsonPath, now) !== undefined) continue;
    plan.texts[slot.id] = escapeMarks(now);
    plan.followed.push(slot.id);
  }
  return plan;
}

/** What the writer of new texts for slots, one for each, should know. See `planTexts`. */
export const review = (slots: Slot[], texts: string[]): string[] =>
  slots.flatMap((slot, i) => {
    const written = fitted(slot, texts[i]!);
    refuseBlank(slot, written);
    return remarksOn(slot, written);
  });

/** Records the new version of a text. If a text gets two versions, no other text follows it. */
function follow(
  followed: Map<string, Map<string, Set<SlotRole>>>,
  old: string,
  now: string,
  roles: SlotRole[],
) {
  const became = followed.get(old) ?? new Map<string, Set<SlotRole>>();
  followed.set(old, became.set(now, new Set([...(became.get(now) ?? []), ...roles])));
}

function fitted(slot: Slot, text: string): SlotTexts[string] {
  try {
    return marked(slot, text);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(error.code, `${slot.id}: ${error.message}`);
  }
}
