import { type TextSlot, type SlotTexts, isHeadline } from '../../../sites/formats/pageParts.ts';
import type { LinkBlock } from '../../../sites/formats/linkBlocks.ts';
import type { TemplatePage } from '../agentTypes.ts';
import { fitText } from '../text/fitText.ts';
import { plainText } from '../text/parseMarks.ts';
import { findWords, replaceSpans } from '../text/textSpans.ts';
import { isEnglishPage } from './englishArticles.ts';
import {
  containsFact,
  findSlotFacts,
  isSameFact,
  type Fact,
  MOST_FACTS,
} from '../facts/findFacts.ts';
import { matchAddresses, readPostalAddress } from '../facts/postalAddress.ts';
import { createBlockTree } from './blockTree.ts';
import { rewriteText, type RewriteContext } from './rewriteText.ts';
import { findPageTopics, isNamingSlot, type PageTopics } from './pageTopics.ts';

/** A page made from the template, with the texts in which both differ. */
export interface CreatedPageTexts {
  slug: string;
  texts: SlotTexts;
  /** Ids of what the page lacks of the template, such as blocks with facts that were removed. */
  removed?: string[];
}

/** The texts of a block that links to a new page instead of the template. */
export interface RewrittenBlock {
  texts: SlotTexts;
  /** Ids of texts that are left out, because the page lacks their facts. */
  removed: string[];
  /** Texts, and facts in texts, that are still the template's. */
  kept: string[];
  /** Whether a text of the block names the new page. */
  isNamed: boolean;
}

const LONGEST_SUBJECT = 60;
/** Names of map pictures. A map shows the template's place, whatever its text says. */
const MAP_NAME = /\b(?:map|karte|stadtplan|lageplan)\b/iu;

/**
 * Rewrites a block that links to the template, such as a card in a list of locations, as a block
 * that links to a new page. Texts equal to the template's become the new page's texts. In other
 * texts, the new topic replaces the template's. Facts that were removed from the new page are
 * removed here, too, with the short texts that state them. Never invents a text.
 */
export function writeLinkBlock(
  { slots, naming, common, removable }: LinkBlock,
  template: TemplatePage,
  newPage: CreatedPageTexts,
): RewrittenBlock {
  const pairs = template.slots.map((slot): SlotPair => [
    slot,
    { ...slot, text: newPage.texts[slot.id] ?? slot.text },
  ]);
  const replacedTexts = findReplacedTexts(pairs);
  const rewriting: RewriteContext = {
    topics: findPairTopics(template, newPage, pairs),
    replaced: new Map(),
    isEnglish: isEnglishPage(template.slots),
  };
  const facts = new Map(slots.map((slot) => [slot, findSlotFacts(slot)]));
  setFactTexts(rewriting.replaced, [...facts.values()].flat(), pairs);
  const isRemovedFact = createRemovedFactTest(template, newPage);
  const isRemoved = ({ id, text }: TextSlot, slotFacts: Fact[]) =>
    removable.includes(id) &&
    !naming.includes(id) &&
    !SEVERAL_SENTENCES.test(plainText(text)) &&
    slotFacts.length > 0 &&
    slotFacts.every((fact) => !rewriting.replaced.has(fact) && isRemovedFact(fact));
  const removed: string[] = [];
  const writtenTexts: SlotTexts = {};
  const keptTexts: string[] = [];
  for (const slot of slots) {
    const text = plainText(slot.text);
    const namesPage = naming.includes(slot.id);
    const slotFacts = facts.get(slot)!;
    if (isRemoved(slot, slotFacts)) {
      removed.push(slot.id);
      continue;
    }
    const replacedText = replacedTexts.get(text);
    const isMap = slot.role === 'image-alt' && MAP_NAME.test(text);
    const newText = isMap
      ? slot.text
      : replacedText === undefined || replacedText === text
        ? rewriteText(namesPage ? { ...slot, role: 'title' } : slot, slotFacts, rewriting)
        : fitText(slot.text, slot.parts, replacedText);
    if (newText !== slot.text) writtenTexts[slot.id] = newText;
    if (newText !== slot.text && describesPlace(text, slotFacts))
      keptTexts.push(plainText(newText));
    if (
      newText === slot.text &&
      (isMap || !namesPage || slot.role === 'heading') &&
      !common.includes(text) &&
      /\p{L}|\d/u.test(text)
    )
      keptTexts.push(text);
    else if (replacedText === undefined || replacedText === text)
      keptTexts.push(
        ...slotFacts.filter((fact) => !rewriting.replaced.has(fact)).map((fact) => fact.text),
      );
  }
  const isNamed =
    naming.some((id) => id in writtenTexts) || writePageName(slots, naming, pairs, writtenTexts);
  return { texts: writtenTexts, removed, kept: [...new Set(keptTexts)], isNamed };
}

/** A text of the template, and the corresponding text of the new page. */
type SlotPair = [old: TextSlot, now: TextSlot];

/** What the template's visible texts became. Texts with several new versions are left out. */
function findReplacedTexts(pairs: SlotPair[]): Map<string, string> {
  const replacedTexts = new Map<string, string>();
  for (const [oldSlot, newSlot] of pairs.filter(([{ role }]) => role !== 'structured-data')) {
    const [oldText, newText] = [plainText(oldSlot.text), plainText(newSlot.text)];
    const knownText = replacedTexts.get(oldText) ?? newText;
    replacedTexts.set(oldText, knownText === newText ? newText : oldText);
  }
  return replacedTexts;
}

/**
 * The topic by what most texts of the new page have instead of the template's topic; else by
 * the new page's slug.
 */
function findPairTopics(
  template: TemplatePage,
  { slug }: CreatedPageTexts,
  pairs: SlotPair[],
): PageTopics | null {
  const source = pairs
    .filter(([slot]) => isNamingSlot(slot))
    .map(([, newSlot]) => plainText(newSlot.text))
    .join('\n');
  const context = { format: 'prose' as const, fields: [], sections: [], paragraphs: [], source };
  const slugTopics = findPageTopics(template, { targetPageSlug: slug, context: '' }, context);
  if (!slugTopics) return null;
  const votes = new Map<string, number>();
  for (const [oldSlot, newSlot] of pairs) {
    const replacedWords = findReplacedWords(
      plainText(oldSlot.text),
      plainText(newSlot.text),
      slugTopics.old,
    );
    if (replacedWords !== undefined) votes.set(replacedWords, (votes.get(replacedWords) ?? 0) + 1);
  }
  const [favourite] = [...votes].sort(
    (first, second) => second[1] - first[1] || first[0].length - second[0].length,
  );
  return { old: slugTopics.old, new: favourite?.[0] ?? slugTopics.new };
}

/** The replacement for words that occur once in a text whose other words stayed. */
function findReplacedWords(oldText: string, newText: string, words: string): string | undefined {
  const [span, ...otherSpans] = oldText === newText ? [] : findWords(oldText, words);
  if (!span || otherSpans.length > 0) return undefined;
  const [head, tail] = [oldText.slice(0, span.from), oldText.slice(span.to)];
  const replacedWords = newText.slice(head.length, newText.length - tail.length).trim();
  const isOnlyDifference =
    newText.startsWith(head) &&
    newText.endsWith(tail) &&
    newText.length > head.length + tail.length;
  return isOnlyDifference && replacedWords !== '' && replacedWords.length <= LONGEST_SUBJECT
    ? replacedWords
    : undefined;
}

/** Facts of the template, with the new page's facts in the same places. */
function pairTemplateFacts(pairs: SlotPair[]): [Fact, Fact][] {
  const factPairs = pairs.flatMap(([old, now]) => {
    const [oldFacts, newFacts] = [findSlotFacts(old), findSlotFacts(now)];
    const areOfKinds =
      oldFacts.length === newFacts.length &&
      oldFacts.every(({ kind }, index) => newFacts[index]!.kind === kind);
    return areOfKinds ? oldFacts.map((fact, index): [Fact, Fact] => [fact, newFacts[index]!]) : [];
  });
  return factPairs.filter(([old, now]) => old.text !== now.text).slice(0, MOST_FACTS);
}

/** Replaces all parts of an address or none. Otherwise a new street would be in the old town. */
function setFactTexts(replaced: Map<Fact, string>, facts: Fact[], pairs: SlotPair[]) {
  const factPairs = pairTemplateFacts(pairs);
  for (const fact of facts) setFactText(replaced, fact, factPairs);
  const parts = facts.filter(({ kind }) => kind === 'address');
  if (parts.every((fact) => replaced.has(fact))) return;
  const partTexts = findAddressParts(parts, pairs);
  for (const fact of parts) {
    const text = partTexts?.get(fact);
    if (text === undefined) replaced.delete(fact);
    else replaced.set(fact, text);
  }
}

/**
 * The new texts of the parts of an address that the template has as one text: `7 Elm Street` and
 * `Boise, ID 83702`. undefined if one of the parts has none.
 */
function findAddressParts(parts: Fact[], pairs: SlotPair[]): ReadonlyMap<Fact, string> | undefined {
  const [, newSlot] =
    pairs.find(([oldSlot, { text }]) => {
      const [fact, ...otherFacts] = findSlotFacts(oldSlot);
      const isAddress = fact?.text === plainText(oldSlot.text) && otherFacts.length === 0;
      return isAddress && text !== oldSlot.text && parts.every((part) => containsFact(fact, part));
    }) ?? [];
  if (!newSlot) return undefined;
  const address = readPostalAddress([plainText(newSlot.text)], {});
  // its street and its town may be in separate texts
  const joinedParts = parts.map((part) => ({ ...part, slot: parts[0]!.slot }));
  const joinedTexts = matchAddresses(joinedParts, address);
  const texts = joinedParts.flatMap((part) => joinedTexts.get(part) ?? []);
  return texts.length < parts.length
    ? undefined
    : new Map(parts.map((part, index) => [part, texts[index]!]));
}

const MOST_WORDS_BESIDE_ADDRESS = 3;

/** Whether a text says more of a place than its address: `7 Elm Street, north of the river`. */
function describesPlace(text: string, facts: Fact[]): boolean {
  const addresses = facts.filter(({ kind }) => kind === 'address');
  if (addresses.length === 0) return false;
  const otherText = replaceSpans(
    text,
    facts.map(({ from, to }) => ({ from, to, text: ' ' })),
  );
  return (
    otherText.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length > MOST_WORDS_BESIDE_ADDRESS
  );
}

/** Several sentences may say more than their facts. */
const SEVERAL_SENTENCES = /[.!?…]\s+\p{L}/u;

/** Makes a check whether a fact of the template was removed from the new page, with its block. */
function createRemovedFactTest(
  { slots, blocks = [] }: TemplatePage,
  { removed = [] }: CreatedPageTexts,
): (fact: Fact) => boolean {
  const tree = createBlockTree(blocks);
  const removedIds = new Set(
    removed.flatMap((id) => {
      const block = tree.blockOf(id);
      return block?.id === id ? tree.idsIn(block) : id;
    }),
  );
  const [removedFacts, remainingFacts] = [true, false].map((isRemoved) =>
    slots.filter(({ id }) => removedIds.has(id) === isRemoved).flatMap(findSlotFacts),
  ) as [Fact[], Fact[]];
  return (fact) => {
    const isStated = (pageFact: Fact) => isSameFact(pageFact, fact) || containsFact(pageFact, fact);
    return removedFacts.some(isStated) && !remainingFacts.some(isStated);
  };
}

function setFactText(replaced: Map<Fact, string>, fact: Fact, pairs: [Fact, Fact][]) {
  const pair =
    pairs.find(([old]) => old.kind === fact.kind && old.text === fact.text) ??
    pairs.find(([old]) => isSameFact(old, fact));
  if (pair) replaced.set(fact, pair[1].text);
}

/**
 * Writes the new page's headline, else its title, if a text of the block named the template
 * differently.
 */
function writePageName(
  slots: TextSlot[],
  naming: string[],
  pairs: SlotPair[],
  writtenTexts: SlotTexts,
): boolean {
  const [, namingSlot] =
    pairs.find(([slot]) => isHeadline(slot)) ?? pairs.find(([slot]) => isNamingSlot(slot)) ?? [];
  const blockSlots = slots.filter(({ id }) => naming.includes(id));
  const slot =
    blockSlots.find(({ role }) => role === 'heading') ??
    blockSlots.find(({ role }) => role !== 'image-alt');
  const name = namingSlot && plainText(namingSlot.text);
  if (!slot || !name) return false;
  writtenTexts[slot.id] = fitText(slot.text, slot.parts, name);
  return true;
}
