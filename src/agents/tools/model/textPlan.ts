import { mapById } from '../../../contract/mapById.ts';
import { DomainError, invalidInput } from '../../../errors.ts';
import { followersOf, isNumberAt } from '../../../sites/formats/followers.ts';
import type { Slot, SlotRole, SlotTexts } from '../../../sites/formats/page.ts';
import { hoursProblem } from '../../../sites/pages/hoursData.ts';
import { currencyCodes } from '../../../text/currencies.ts';
import { escapeMarks } from '../../../sites/pages/slotText.ts';
import { currencyOf, pricedAmount } from '../../text/amounts.ts';
import { parseMarks, plainText } from '../../text/marks.ts';
import { isPrice } from '../factChanges.ts';
import { marked } from '../slotText.ts';
import type { TextEdit, TextPlan } from '../textsPort.ts';
import { partsOf, priceProblem, refuseBlank, remarksOn } from './textRemarks.ts';

/** A text this many times as long as the old one may break the layout. */
const MUCH_LONGER = 1.5;
const LONGER = 20;

/** The most characters of a text in the place of one that has `before`. */
export const usefulLength = (before: number): number =>
  Math.floor(Math.max(before * MUCH_LONGER, before + LONGER));
/** Most parts that an error names. */
const NAMED = 10;

/**
 * Plans a page's texts when some are written. Texts for other sites and search engines that
 * equalled a written text get the new text too.
 * @param lengths the lengths that texts had first, by id, where they were written since
 * @throws DomainError INVALID_INPUT naming the text whose parts are broken, or that is given twice
 */
export function planTexts(
  slots: Slot[],
  edits: TextEdit[],
  lengths: Record<string, number> = {},
): TextPlan {
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
    const written = asData(slot, fitted(slot, text));
    const [old, now] = [plainText(slot.text), plainText(written)];
    const problem =
      written === slot.text
        ? undefined
        : (hoursProblem(slot.jsonPath, now) ?? priceProblem(slot, now));
    if (problem !== undefined) throw invalidInput(`${id}: ${problem}`);
    refuseBlank(slot, written);
    plan.remarks.push(...remarksOn(slot, written));
    if (written === slot.text) plan.unchanged.push(id);
    else plan.texts[id] = written;
    const before = Object.hasOwn(lengths, id) ? lengths[id]! : old.length;
    if (before > 0 && now.length > usefulLength(before))
      plan.longer.push({ id, before, after: now.length });
    if (old !== now && old !== '') follow(followed, old, now, followersOf(slot));
  }
  for (const slot of slots) {
    const [[now, roles] = [], other] = followed.get(plainText(slot.text)) ?? [];
    if (given.has(slot.id) || now === undefined || other || !roles?.has(slot.role)) continue;
    if (isNumberAt(slot.jsonPath) || hoursProblem(slot.jsonPath, now) !== undefined) continue;
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

/** A slot's new text with its parts. Refuses one that would keep words which are not given. */
function fitted(slot: Slot, text: string): SlotTexts[string] {
  const written = placed(slot, text);
  if (wordsOf(written) !== wordsOf(text)) throw partsLost(slot);
  return written;
}

const ONE_AMOUNT = /^\D*\d+(?:(?:[.,'’\u00A0\u202F]| (?=\d{3}(?!\d)))\d+)*\D*$/u;

/** A new price for structured data as a plain number, whose currency the format knows to write. */
function asData(slot: Slot, text: string): string {
  const isNew = isPrice(slot) && text !== slot.text && ONE_AMOUNT.test(text);
  return isNew && currencyCodes(currencyOf(text)).length > 0 ? pricedAmount(text) : text;
}

function placed(slot: Slot, text: string): SlotTexts[string] {
  try {
    return marked(slot, text);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError(error.code, `${slot.id}: ${error.message}`);
  }
}

/** A text's letters and numbers: what readers see of it, apart from icons and spaces. */
const wordsOf = (text: string) => plainText(text).replace(/[^\p{L}\p{M}\p{N}]+/gu, '');

/** The error for a text without a place for a link, whose old words would stand behind it. */
function partsLost({ id, text, parts }: Slot) {
  const names = partsOf(parseMarks(text) ?? [])
    .sort((a, b) => a.number - b.number)
    .slice(0, NAMED)
    .map(({ number, isVoid }) => (isVoid ? `<${number}/>` : `<${number}>…</${number}>`));
  const count = `${parts.length} part${parts.length === 1 ? '' : 's'}`;
  const rest = parts.length > NAMED ? ' and the others' : '';
  return invalidInput(
    `${id} has ${count}: keep ${names.join(' and ')}${rest}, or take a link away by set_link with an empty target`,
  );
}
