import type { Slot } from '../../sites/formats/page.ts';
import { plainText } from '../text/marks.ts';
import { replaceInSlot, type Edit } from '../text/replaceInSlot.ts';
import { addressSpans, findWords, overlaps, reachOf } from '../text/spans.ts';
import { historyIn } from './history.ts';
import { articleEdit } from './articles.ts';
import type { Fact } from '../facts/findFacts.ts';
import { inCaseOf } from '../text/letterCase.ts';
import { isNaming, type Subject } from './subject.ts';

export interface Rewriting {
  subject: Subject | null;
  /** New texts of the template's facts. Other facts stay. */
  replaced: Map<Fact, string>;
  /** Whether the page is in English, where `a` and `an` depend on the next word. */
  isEnglish: boolean;
}

/**
 * Rewrites a slot's text for the new subject. Replaces the subject's words, and facts that the
 * context gives. Keeps other facts, and the subject of a text that is not about the template.
 */
export function rewriteText(
  slot: Slot,
  facts: Fact[],
  { subject, replaced, isEnglish }: Rewriting,
): string {
  const plain = plainText(slot.text);
  const edits: Edit[] = facts.flatMap((fact) =>
    replaced.has(fact) ? [{ from: fact.from, to: fact.to, text: replaced.get(fact)! }] : [],
  );
  if (!subject || slot.shared === 'text') return replaceInSlot(slot, edits);
  const history = historyIn(plain, subject.old);
  const reach = reachOf([...facts, ...addressSpans(plain)]);
  for (const span of findWords(plain, subject.old, { anyCase: true })) {
    if (!isTitling(slot) && history.some((sentence) => overlaps(sentence, span))) continue;
    const region = REGION.exec(plain.slice(span.to))?.[0];
    if (!isTitling(slot) && (region || reach(span.to) > span.from)) continue;
    const text = inCaseOf(plain.slice(span.from, span.to), subject.old, subject.new);
    edits.push({ from: span.from, to: span.to + (region?.length ?? 0), text });
    const article = isEnglish ? articleEdit(plain, span, text) : null;
    if (article) edits.push(article);
  }
  return replaceInSlot(slot, edits);
}

/** The region behind a place: `Austin, TX`, `Austin, Texas | Studio`. */
const REGION =
  /^,\s+(?:[A-Z]{2}(?!\p{L})|\p{Lu}[\p{Ll}\p{M}]{1,30}(?:\s\p{Lu}[\p{Ll}\p{M}]{1,30})?(?=\s*(?:$|[|–—.,(])))/u;

/** Whether a text says what the page is about. Such texts never keep the template's subject. */
const isTitling = (slot: Slot) => slot.role === 'social-title' || isNaming(slot);
