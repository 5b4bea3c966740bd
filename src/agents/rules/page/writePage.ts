import type { CellRemark } from '../../../contract/check.ts';
import type { PageItem } from '../../../contract/task.ts';
import type { Slot, SlotTexts } from '../../../sites/formats/page.ts';
import type { GeneratedPage, TemplatePage } from '../../agent.ts';
import { fieldNamed, isFactKey, names } from '../../context/contextKeys.ts';
import type { ContextData } from '../../context/contextData.ts';
import { languageOf } from '../../context/pageLanguage.ts';
import { leavesOf } from '../../context/contextLeaves.ts';
import { isBrokenData } from '../../context/readContext.ts';
import { MOST_FACTS, factsOf, factsOrClosed, type Fact } from '../../facts/findFacts.ts';
import { isEnglish } from '../../page/articles.ts';
import { composePage } from '../../page/composePage.ts';
import { matchFacts, readCounterparts } from '../../page/counterparts.ts';
import { followGiven } from '../../page/followGiven.ts';
import { readPageInput } from '../../page/pageInput.ts';
import { rewriteText, type Rewriting } from '../../page/rewriteText.ts';
import { townOf } from '../../page/subject.ts';
import { unusedOf } from '../../page/unusedValues.ts';
import { fitByline, fitText } from '../../text/fitText.ts';
import { plainText } from '../../text/marks.ts';
import { findWords } from '../../text/spans.ts';
import { fillSlots } from './fillSlots.ts';

/**
 * Writes a page's texts from the item's context and the template's texts. Invents none, and gives
 * the same output for the same input. The context's keys and headings tell which slots its values
 * fill. In all other texts, the item's subject replaces the template's. Facts stay unless the
 * context has new ones.
 * @throws DomainError LIMIT_EXCEEDED for a context that is too long, or a text with too many parts
 * to fit
 */
export const writePage = (template: TemplatePage, item: PageItem): GeneratedPage =>
  judgeAndWrite(template, item).page;

/** Writes a page, and reports problems with the context's values. Throws like `writePage`. */
export function judgeAndWrite(
  template: TemplatePage,
  item: PageItem,
): { page: GeneratedPage; remarks: CellRemark[] } {
  const input = readPageInput(template, item);
  const { templateSlots: own, context, topics: subject, quotedIds: quoted } = input;
  const rewriting = {
    subject,
    replaced: new Map<Fact, string>(),
    isEnglish: isEnglish(own),
  };
  const renamed = once((slot: Slot) => plainText(rewriteText(slot, factsOf(slot), rewriting)));
  const filling = fillSlots(input, renamed);
  const { texts, slots, counts, lists } = filling;
  const isFilled = texts.size > 0;
  followGiven(filling);
  const factsBySlot = new Map(
    slots
      .filter((slot) => !texts.has(slot) && !quoted.has(slot.id))
      .map((slot) => [slot, factsOrClosed(slot)]),
  );
  const facts = [...factsBySlot.values()].flat().slice(0, MOST_FACTS);
  const fields = context.fields.filter(
    (field) => !(isFactKey(field.key) && filling.used.has(field)),
  );
  const counterparts = readCounterparts({ ...context, fields }, lists, townOf(own, subject));
  const matched = matchFacts(facts, counterparts);
  const { replaced } = matched;
  const language = languageOf(context);
  const remarks = [...(context.remarks ?? []), ...filling.unfit];
  const { page } = composePage(input, {
    slots,
    texts,
    facts,
    replaced,
    counts,
    replacementFacts: counterparts,
    lang: language?.tag,
    write: (shown) =>
      writeAll(shown, texts, (slot) =>
        // a quotation is never changed
        quoted.has(slot.id)
          ? slot.text
          : rewriteText(slot, factsBySlot.get(slot) ?? [], { ...rewriting, replaced }),
      ),
    judge: ({ shown, written }) => {
      const unplaced = [...filling.unplaced, ...matched.unplaced];
      const leaves = readable(context, filling.unplaced).filter(
        ({ text }) => text !== language?.given,
      );
      const isNamed =
        namesSubject(context, rewriting) || fieldNamed(context, names.language) !== null;
      return {
        replaced,
        unplaced,
        ownerNames: new Set([
          ...leaves.map(({ owner }) => owner),
          ...context.fields.map(({ key }) => key),
        ]),
        unused: unusedOf(
          leaves,
          { slug: item.targetPageSlug, slots: shown, written },
          { texts, replaced, topics: subject, placed: matched.placed },
        ),
        notes: filling.notes,
        remarks,
        isUsed:
          !isBrokenData(context) &&
          (isFilled || replaced.size > 0 || unplaced.length > 0 || isNamed),
      };
    },
  });
  return { page, remarks };
}

/** Caches the result of `read` for each slot. */
function once(read: (slot: Slot) => string): (slot: Slot) => string {
  const known = new Map<Slot, string>();
  return (slot) => {
    const text = known.get(slot) ?? read(slot);
    known.set(slot, text);
    return text;
  };
}

/** Values to search for on the page. Excludes instructions to a writer, which a note reports. */
const readable = (context: ContextData, unplaced: readonly string[]) =>
  leavesOf(context).filter(
    ({ owner }) => owner !== 'text' || !unplaced.some((name) => name.startsWith('instructions')),
  );

const namesSubject = ({ source }: ContextData, { topics: subject }: Rewriting) =>
  subject !== null && findWords(source, subject.new, { anyCase: true }).length > 0;

/**
 * Writes all slots, and returns the texts that differ from the template's, by slot id.
 * @param otherwise returns the text of a slot that has no given text
 */
function writeAll(
  slots: readonly Slot[],
  given: ReadonlyMap<Slot, string>,
  otherwise: (slot: Slot) => string,
): SlotTexts {
  const written: SlotTexts = {};
  for (const slot of slots) {
    const text = given.get(slot);
    const next = text === undefined ? otherwise(slot) : fitGiven(slot, text);
    if (next !== slot.text) written[slot.id] = next;
  }
  return written;
}

const fitGiven = (slot: Slot, text: string) =>
  plainText(slot.text) === text
    ? slot.text
    : (fitByline(slot.text, text) ?? fitText(slot.text, slot.parts, text.replaceAll('\n', ', ')));
