import type { CellRemark } from '../../../contract/checks.ts';
import type { PageItem } from '../../../contract/task.ts';
import type { TextSlot, SlotTexts } from '../../../sites/formats/pageParts.ts';
import type { GeneratedPage, TemplatePage } from '../../shared/agentTypes.ts';
import { findField, isFactKey, pageTextKeys } from '../../shared/context/contextKeys.ts';
import type { ContextData } from '../../shared/context/contextData.ts';
import { readContextLanguage } from '../../shared/context/pageLanguage.ts';
import { listContextValues } from '../../shared/context/contextValues.ts';
import { isBrokenData } from '../../shared/context/readContext.ts';
import {
  MOST_FACTS,
  findSlotFacts,
  findSlotFactsOrClosed,
  type Fact,
} from '../../shared/facts/findFacts.ts';
import { isEnglishPage } from '../../shared/page/englishArticles.ts';
import { composePage } from '../../shared/page/composePage.ts';
import { matchFacts, readReplacementFacts } from '../../shared/page/replacementFacts.ts';
import { updateFollowingTexts } from '../../shared/page/updateFollowingTexts.ts';
import { readPageInput } from '../../shared/page/pageInput.ts';
import { rewriteText, type RewriteContext } from '../../shared/page/rewriteText.ts';
import { findTopicTown } from '../../shared/page/pageTopics.ts';
import { findUnusedValues } from '../../shared/page/unusedValues.ts';
import { fitByline, fitText } from '../../shared/text/fitText.ts';
import { plainText } from '../../shared/text/parseMarks.ts';
import { findWords } from '../../shared/text/textSpans.ts';
import { fillSlots } from './fillPage.ts';

/**
 * Writes a new page by the rules, without a language model. It gets the template as slots (texts
 * with ids), and what the page should say as the item's context. It returns new texts by slot, and
 * notes for people. It invents no text, and gives the same output for the same input:
 *
 *     template: s12 "Web design in Austin", s13 "Call us in Austin"
 *     context:  City: Lisbon
 *               Headline: Websites for Lisbon
 *     texts:    { s12: 'Websites for Lisbon', s13: 'Call us in Lisbon' }
 *
 * The context's keys and headings tell which slots its values fill: fillPage.ts (keys),
 * fillLabels.ts (labels), fillSections.ts (headings), fillGroups.ts (lists), and fillByName.ts
 * (prices of named packages). In all other texts, the item's topic replaces the template's. Facts,
 * such as prices and telephone numbers, stay unless the context has new ones. The other files check
 * a page, list the keys that a context may have, and remove what notes are about.
 * @throws DomainError LIMIT_EXCEEDED if the context is too long, or a text has too many inline tags
 */
export const writeRulesPage = (template: TemplatePage, item: PageItem): GeneratedPage =>
  writePageWithRemarks(template, item).page;

/** Like `writeRulesPage`, but also returns remarks on problems with the context's values. */
export function writePageWithRemarks(
  template: TemplatePage,
  item: PageItem,
): { page: GeneratedPage; remarks: CellRemark[] } {
  const input = readPageInput(template, item);
  const { templateSlots, context, topics, quotedIds } = input;
  const rewriting = {
    topics,
    replaced: new Map<Fact, string>(),
    isEnglish: isEnglishPage(templateSlots),
  };
  const renamed = cacheBySlot((slot: TextSlot) =>
    plainText(rewriteText(slot, findSlotFacts(slot), rewriting)),
  );
  const filling = fillSlots(input, renamed);
  const { texts, slots, counts, lists } = filling;
  const isFilled = texts.size > 0;
  updateFollowingTexts(filling);
  const factsBySlot = new Map(
    slots
      .filter((slot) => !texts.has(slot) && !quotedIds.has(slot.id))
      .map((slot) => [slot, findSlotFactsOrClosed(slot)]),
  );
  const facts = [...factsBySlot.values()].flat().slice(0, MOST_FACTS);
  const fields = context.fields.filter(
    (field) => !(isFactKey(field.key) && filling.used.has(field)),
  );
  const replacementFacts = readReplacementFacts(
    { ...context, fields },
    lists,
    findTopicTown(templateSlots, topics),
  );
  const matchedFacts = matchFacts(facts, replacementFacts);
  const { replaced } = matchedFacts;
  const language = readContextLanguage(context);
  const remarks = [...(context.remarks ?? []), ...filling.unfit];
  const { page } = composePage(input, {
    slots,
    texts,
    facts,
    replaced,
    counts,
    replacementFacts,
    lang: language?.tag,
    write: (shownSlots) =>
      writeRulesTexts(shownSlots, texts, (slot) =>
        // a quotation is never changed
        quotedIds.has(slot.id)
          ? slot.text
          : rewriteText(slot, factsBySlot.get(slot) ?? [], { ...rewriting, replaced }),
      ),
    collectNoteSources: ({ shown: shownSlots, written }) => {
      const unplaced = [...filling.unplaced, ...matchedFacts.unplaced];
      const contextValues = listSearchableValues(context, filling.unplaced).filter(
        ({ text }) => text !== language?.given,
      );
      const isNamed =
        namesNewTopic(context, rewriting) || findField(context, pageTextKeys.language) !== null;
      return {
        replaced,
        unplaced,
        unplacedReasons: matchedFacts.unplacedReasons,
        ownerNames: new Set([
          ...contextValues.map(({ owner }) => owner),
          ...context.fields.map(({ key }) => key),
        ]),
        unused: findUnusedValues(
          contextValues,
          { slug: item.targetPageSlug, slots: shownSlots, written },
          { texts, replaced, topics, placed: matchedFacts.placed },
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

/** Caches the result of `readText` for each slot. */
function cacheBySlot(readText: (slot: TextSlot) => string): (slot: TextSlot) => string {
  const textBySlot = new Map<TextSlot, string>();
  return (slot) => {
    const text = textBySlot.get(slot) ?? readText(slot);
    textBySlot.set(slot, text);
    return text;
  };
}

/** The values that are reported if the page lacks them. Instructions to a writer are left out. */
const listSearchableValues = (context: ContextData, unplaced: readonly string[]) =>
  listContextValues(context).filter(
    ({ owner }) => owner !== 'text' || !unplaced.some((name) => name.startsWith('instructions')),
  );

const namesNewTopic = ({ source }: ContextData, { topics }: RewriteContext) =>
  topics !== null && findWords(source, topics.new, { anyCase: true }).length > 0;

/**
 * Writes all slots, and returns the texts that differ from the template's, by slot id.
 * @param newTexts the texts that the context gives to slots
 * @param rewriteOtherText returns the text of any other slot
 */
function writeRulesTexts(
  slots: readonly TextSlot[],
  newTexts: ReadonlyMap<TextSlot, string>,
  rewriteOtherText: (slot: TextSlot) => string,
): SlotTexts {
  const writtenTexts: SlotTexts = {};
  for (const slot of slots) {
    const text = newTexts.get(slot);
    const newText = text === undefined ? rewriteOtherText(slot) : fitNewText(slot, text);
    if (newText !== slot.text) writtenTexts[slot.id] = newText;
  }
  return writtenTexts;
}

const fitNewText = (slot: TextSlot, text: string) =>
  plainText(slot.text) === text
    ? slot.text
    : (fitByline(slot.text, text) ?? fitText(slot.text, slot.parts, text.replaceAll('\n', ', ')));
