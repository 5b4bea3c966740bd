import { mapById } from '../../contract/mapById.ts';
import type { Claim, Slot } from '../../sites/formats/page.ts';
import { plainText } from '../text/marks.ts';
import { findWords } from '../text/spans.ts';
import type { ContextData } from '../context/contextData.ts';
import { factsOf, isSameFact, textSlot, type Fact } from '../facts/findFacts.ts';
import { isValue, type Kept, type Outcome } from './outcome.ts';
import { starsFor, starsIn } from '../facts/ratings.ts';

/** Everything on the page that only holds for the template, sorted by kind. */
export function keptOf(outcome: Outcome): Kept[] {
  const byId = mapById(outcome.slots);
  const claims = (outcome.template.claims ?? []).filter(
    ({ slots }) => slots.length === 0 || slots.some((id) => byId.has(id) || isValue(id)),
  );
  const quotes = claims
    .filter(({ kind }) => kind === 'quote')
    .flatMap((claim) => keptQuote(outcome, byId, claim));
  return [...quotes, ...keptFacts(outcome), ...keptPlaces(outcome, byId, claims)];
}

const isSaid = ({ source }: ContextData, text: string) =>
  findWords(source, text, { anyCase: true }).length > 0;

/** A quote that stays, or the old author of a quote with new words. */
function keptQuote({ texts, context }: Outcome, byId: Map<string, Slot>, claim: Claim): Kept[] {
  const { id, text, slots, byline } = claim;
  const textOf = (ids: string[]) =>
    ids.map((own) => plainText(byId.get(own)?.text ?? '')).join(', ');
  const isGiven = (own: string) => texts.has(byId.get(own)!);
  const said = slots.filter((own) => !byline.includes(own) && byId.has(own) && !own.includes('.'));
  const isHidden = isValue(id);
  const lines = isHidden ? [id] : said;
  if (isSaid(context, bare(text))) return [];
  const kept = { kind: 'quote' as const, isHidden, ids: [id, ...slots] };
  const author = textOf(byline.filter((own) => byId.has(own) && !isGiven(own)));
  if (lines.length > 0 && !lines.some(isGiven))
    return [
      { ...kept, label: 'quote', text: withAuthor(text, author), slot: said[0] ?? byline[0] ?? id },
    ];
  const isLost = lines.length > 0 && author !== '' && !isSaid(context, author);
  return isLost
    ? [{ ...kept, label: 'author of a new quote', text: author, slot: byline[0]! }]
    : [];
}

/** A quote without its quotation marks. */
const bare = (quote: string) => quote.replace(/^["“„«]|["”“»]$/gu, '');

const LONGEST_QUOTE = 60;
const withAuthor = (quote: string, author: string) => {
  const words = bare(quote);
  return author === '' || words.length <= LONGEST_QUOTE
    ? words
    : `${words.slice(0, LONGEST_QUOTE - 1).toWellFormed()}…`;
};

const SHORT = 5;
/**
 * Makes a check whether the context gives a fact too. A few digits may match by chance, so only an
 * equal fact counts for them.
 */
function givenFacts(context: ContextData): (fact: Fact) => boolean {
  const given = context.source.split('\n').flatMap((line) => factsOf(textSlot(line)));
  return (fact) => {
    if (fact.text.length >= SHORT && isSaid(context, fact.text)) return true;
    if (fact.kind === 'address') return findWords(context.source, fact.text).length > 0;
    return given.some(
      (own) => isSameFact(own, fact) && (fact.kind !== 'price' || isSameSum(own, fact)),
    );
  };
}

/** Compares sums with their currencies: `C$9` is not `$9`. */
const isSameSum = (a: Fact, b: Fact) => a.text.replace(/\s/g, '') === b.text.replace(/\s/g, '');

/** Facts in texts that were kept, those on the visible page first. */
function keptFacts({ facts, replaced, context }: Outcome): Kept[] {
  const isGiven = givenFacts(context);
  const kept = facts.filter((fact) => !replaced.has(fact) && !isGiven(fact));
  const all = kept.map((fact): Kept => {
    const { kind, label, text, slot } = fact;
    return {
      kind,
      label,
      text,
      slot: slot.id,
      fact,
      isHidden: slot.role === 'structured-data',
      ids: [slot.id],
    };
  });
  return all.sort((a, b) => Number(a.isHidden) - Number(b.isHidden));
}

/** Star ratings other than the new rating, and maps, which a context can't replace. */
function keptPlaces({ texts, rating }: Outcome, byId: Map<string, Slot>, claims: Claim[]): Kept[] {
  return claims.flatMap(({ id, kind, text, slots }): Kept[] => {
    const isGiven = slots.some((own) => byId.has(own) && texts.has(byId.get(own)!));
    if (
      kind === 'quote' ||
      (kind === 'rating' && (isGiven || starsIn(text) === starsFor(rating ?? '')))
    )
      return [];
    return [
      {
        kind,
        label: kind,
        text,
        slot: slots[0] ?? null,
        isHidden: isValue(id),
        ids: [id, ...slots],
      },
    ];
  });
}
