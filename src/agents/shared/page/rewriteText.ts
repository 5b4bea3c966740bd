import type { TextSlot } from '../../../sites/formats/pageParts.ts';
import { plainText } from '../text/parseMarks.ts';
import { replaceInSlot, type SpanEdit } from '../text/replaceInSlot.ts';
import {
  findAddressSpans,
  findWords,
  doSpansOverlap,
  createFurthestEndFinder,
} from '../text/textSpans.ts';
import { historyIn } from './historySentences.ts';
import { correctArticle } from './englishArticles.ts';
import type { Fact } from '../facts/findFacts.ts';
import { matchLetterCase } from '../text/letterCase.ts';
import { isNamingSlot, type PageTopics } from './pageTopics.ts';

export interface RewriteContext {
  topics: PageTopics | null;
  /** New texts of the template's facts. Other facts stay. */
  replaced: Map<Fact, string>;
  /** Whether the page is in English, where `a` and `an` depend on the next word. */
  isEnglish: boolean;
}

/**
 * Rewrites a slot's text for the new topic: `An Austin studio, $4,900` becomes
 * `A Lisbon studio, €4,500` if the context has this price. Replaces the topic's words, and facts
 * that the context gives. Keeps other facts, and the topic in a text that is not about the
 * template.
 * @param facts the facts in this text
 * @returns the new text, with marks
 */
export function rewriteText(
  slot: TextSlot,
  facts: Fact[],
  { topics, replaced, isEnglish }: RewriteContext,
): string {
  const plain = plainText(slot.text);
  const edits: SpanEdit[] = facts.flatMap((fact) =>
    replaced.has(fact) ? [{ from: fact.from, to: fact.to, text: replaced.get(fact)! }] : [],
  );
  if (!topics || slot.shared === 'text') return replaceInSlot(slot, edits);
  const history = historyIn(plain, topics.old);
  const furthestEnd = createFurthestEndFinder([...facts, ...findAddressSpans(plain)]);
  for (const span of findWords(plain, topics.old, { anyCase: true })) {
    if (!isTitleText(slot) && history.some((sentence) => doSpansOverlap(sentence, span))) continue;
    const region = REGION_AFTER_PLACE.exec(plain.slice(span.to))?.[0];
    if (!isTitleText(slot) && (region || furthestEnd(span.to) > span.from)) continue;
    const text = matchLetterCase(plain.slice(span.from, span.to), topics.old, topics.new);
    edits.push({ from: span.from, to: span.to + (region?.length ?? 0), text });
    const article = isEnglish ? correctArticle(plain, span, text) : null;
    if (article) edits.push(article);
  }
  return replaceInSlot(slot, edits);
}

/** The region behind a place: `Austin, TX`, `Austin, Texas | Studio`. */
const REGION_AFTER_PLACE =
  /^,\s+(?:[A-Z]{2}(?!\p{L})|\p{Lu}[\p{Ll}\p{M}]{1,30}(?:\s\p{Lu}[\p{Ll}\p{M}]{1,30})?(?=\s*(?:$|[|–—.,(])))/u;

/** Whether a text says what the page is about. Such texts never keep the template's topic. */
const isTitleText = (slot: TextSlot) => slot.role === 'social-title' || isNamingSlot(slot);
