import { type Slot, type SlotTexts, isHeadline } from '../../sites/formats/page.ts';
import type { LinkBlock } from '../../sites/formats/linkBlocks.ts';
import type { TemplatePage } from '../agent.ts';
import { fitText } from '../text/fitText.ts';
import { plainText } from '../text/marks.ts';
import { findWords } from '../text/spans.ts';
import { isEnglish } from './articles.ts';
import { factsOf, isSameFact, type Fact, MOST_FACTS } from '../facts/findFacts.ts';
import { rewriteText, type Rewriting } from './rewriteText.ts';
import { findSubject, isNaming, type Subject } from './subject.ts';

/** A page made from the template, with the texts in which both differ. */
export interface MadePage {
  slug: string;
  texts: SlotTexts;
}

/** The texts of a block that links to a new page instead of the template. */
export interface WrittenBlock {
  texts: SlotTexts;
  /** Texts, and facts in texts, that are still the template's. */
  kept: string[];
  /** Whether a text of the block names the new page. */
  isNamed: boolean;
}

const LONGEST_SUBJECT = 60;
/** Names of map pictures. A map shows the template's place, whatever its text says. */
const MAP = /\b(?:map|karte|stadtplan|lageplan)\b/iu;

/**
 * Rewrites a page's block that links to the template as a block that links to a new page. Texts
 * equal to the template's become the new page's texts. In other texts, the new subject replaces the
 * template's. Never invents a text.
 */
export function writeLinkBlock(
  { slots, naming, common }: LinkBlock,
  template: TemplatePage,
  made: MadePage,
): WrittenBlock {
  const pairs = template.slots.map((slot): Pair => [
    slot,
    { ...slot, text: made.texts[slot.id] ?? slot.text },
  ]);
  const said = saidBy(pairs);
  const rewriting: Rewriting = {
    topics: subjectOf(template, made, pairs),
    replaced: new Map(),
    isEnglish: isEnglish(template.slots),
  };
  const facts = new Map(slots.map((slot) => [slot, factsOf(slot)]));
  setFacts(rewriting.replaced, [...facts.values()].flat(), factPairs(pairs));
  const written: SlotTexts = {};
  const kept: string[] = [];
  for (const slot of slots) {
    const text = plainText(slot.text);
    const namesPage = naming.includes(slot.id);
    const own = facts.get(slot)!;
    const given = said.get(text);
    const isMap = slot.role === 'image-alt' && MAP.test(text);
    const next = isMap
      ? slot.text
      : given === undefined || given === text
        ? rewriteText(namesPage ? { ...slot, role: 'title' } : slot, own, rewriting)
        : fitText(slot.text, slot.parts, given);
    if (next !== slot.text) written[slot.id] = next;
    if (
      next === slot.text &&
      (isMap || !namesPage || slot.role === 'heading') &&
      !common.includes(text) &&
      /\p{L}|\d/u.test(text)
    )
      kept.push(text);
    else if (given === undefined || given === text)
      kept.push(...own.filter((fact) => !rewriting.replaced.has(fact)).map((fact) => fact.text));
  }
  const isNamed = naming.some((id) => id in written) || nameBlock(slots, naming, pairs, written);
  return { texts: written, kept: [...new Set(kept)], isNamed };
}

/** A text of the template, and the corresponding text of the new page. */
type Pair = [old: Slot, now: Slot];

/** What the template's visible texts became. Texts with several new versions are left out. */
function saidBy(pairs: Pair[]): Map<string, string> {
  const said = new Map<string, string>();
  for (const [old, now] of pairs.filter(([{ role }]) => role !== 'structured-data')) {
    const [before, after] = [plainText(old.text), plainText(now.text)];
    const known = said.get(before) ?? after;
    said.set(before, known === after ? after : before);
  }
  return said;
}

/**
 * The subject by what most texts of the new page have instead of the template's subject; else by
 * the new page's slug.
 */
function subjectOf(template: TemplatePage, { slug }: MadePage, pairs: Pair[]): Subject | null {
  const source = pairs
    .filter(([slot]) => isNaming(slot))
    .map(([, now]) => plainText(now.text))
    .join('\n');
  const context = { format: 'prose' as const, fields: [], sections: [], paragraphs: [], source };
  const found = findSubject(template, { targetPageSlug: slug, context: '' }, context);
  if (!found) return null;
  const votes = new Map<string, number>();
  for (const [old, now] of pairs) {
    const put = replacementOf(plainText(old.text), plainText(now.text), found.old);
    if (put !== undefined) votes.set(put, (votes.get(put) ?? 0) + 1);
  }
  const [most] = [...votes].sort((a, b) => b[1] - a[1] || a[0].length - b[0].length);
  return { old: found.old, new: most?.[0] ?? found.new };
}

/** The replacement for words that occur once in a text whose other words stayed. */
function replacementOf(old: string, now: string, words: string): string | undefined {
  const [span, ...others] = old === now ? [] : findWords(old, words);
  if (!span || others.length > 0) return undefined;
  const [head, tail] = [old.slice(0, span.from), old.slice(span.to)];
  const put = now.slice(head.length, now.length - tail.length).trim();
  const isPlace =
    now.startsWith(head) && now.endsWith(tail) && now.length > head.length + tail.length;
  return isPlace && put !== '' && put.length <= LONGEST_SUBJECT ? put : undefined;
}

/** Facts of the template, with the new page's facts in the same places. */
function factPairs(pairs: Pair[]): [Fact, Fact][] {
  const found = pairs.flatMap(([old, now]) => {
    const [before, after] = [factsOf(old), factsOf(now)];
    const areOfKinds =
      before.length === after.length && before.every(({ kind }, i) => after[i]!.kind === kind);
    return areOfKinds ? before.map((fact, i): [Fact, Fact] => [fact, after[i]!]) : [];
  });
  return found.filter(([old, now]) => old.text !== now.text).slice(0, MOST_FACTS);
}

/** Replaces all parts of an address or none. Otherwise a new street would be in the old town. */
function setFacts(replaced: Map<Fact, string>, facts: Fact[], pairs: [Fact, Fact][]) {
  for (const fact of facts) setFact(replaced, fact, pairs);
  const parts = facts.filter(({ kind }) => kind === 'address');
  if (parts.some((fact) => !replaced.has(fact))) for (const fact of parts) replaced.delete(fact);
}

function setFact(replaced: Map<Fact, string>, fact: Fact, pairs: [Fact, Fact][]) {
  const pair =
    pairs.find(([old]) => old.kind === fact.kind && old.text === fact.text) ??
    pairs.find(([old]) => isSameFact(old, fact));
  if (pair) replaced.set(fact, pair[1].text);
}

/**
 * Writes the new page's headline, else its title, if a text of the block named the template
 * differently.
 */
function nameBlock(slots: Slot[], naming: string[], pairs: Pair[], written: SlotTexts): boolean {
  const [, now] =
    pairs.find(([slot]) => isHeadline(slot)) ?? pairs.find(([slot]) => isNaming(slot)) ?? [];
  const own = slots.filter(({ id }) => naming.includes(id));
  const slot =
    own.find(({ role }) => role === 'heading') ?? own.find(({ role }) => role !== 'image-alt');
  const name = now && plainText(now.text);
  if (!slot || !name) return false;
  written[slot.id] = fitText(slot.text, slot.parts, name);
  return true;
}
