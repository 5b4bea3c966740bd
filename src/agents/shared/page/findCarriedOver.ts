import { mapById } from '../../../contract/mapById.ts';
import type { PageClaim, TextSlot } from '../../../sites/formats/pageParts.ts';
import { plainText } from '../text/parseMarks.ts';
import { findWords } from '../text/textSpans.ts';
import type { ContextData } from '../context/contextData.ts';
import { findSlotFacts, isSameFact, textSlot, type Fact } from '../facts/findFacts.ts';
import {
  isHiddenValueId,
  type CarriedOverStatement,
  type TemplateOutcome,
} from './templateOutcome.ts';
import { countStarsForRating, countStars } from '../facts/ratings.ts';

/**
 * Finds everything on a new page that only holds for its template: quotes, then facts, then ratings
 * and maps. For example, a price in a text that stayed is
 * `{ kind: 'price', text: '$4,900', slot: 's14', … }`. Whatever the context says too is left out.
 */
export function findCarriedOver(outcome: TemplateOutcome): CarriedOverStatement[] {
  const slotsById = mapById(outcome.slots);
  const claims = (outcome.template.claims ?? []).filter(
    ({ slots }) =>
      slots.length === 0 || slots.some((id) => slotsById.has(id) || isHiddenValueId(id)),
  );
  const quotes = claims
    .filter(({ kind }) => kind === 'quote')
    .flatMap((claim) => findCarriedOverQuote(outcome, slotsById, claim));
  return [
    ...quotes,
    ...findCarriedOverFacts(outcome),
    ...findCarriedOverPlaces(outcome, slotsById, claims),
  ];
}

const isInContext = ({ source }: ContextData, text: string) =>
  findWords(source, text, { anyCase: true }).length > 0;

/** A quote that stays, or the old author of a quote with new words. */
function findCarriedOverQuote(
  { texts, context }: TemplateOutcome,
  slotsById: Map<string, TextSlot>,
  claim: PageClaim,
): CarriedOverStatement[] {
  const { id, text, slots, byline } = claim;
  const joinTexts = (ids: string[]) =>
    ids.map((slotId) => plainText(slotsById.get(slotId)?.text ?? '')).join(', ');
  const isGiven = (slotId: string) => texts.has(slotsById.get(slotId)!);
  const textIds = slots.filter(
    (slotId) => !byline.includes(slotId) && slotsById.has(slotId) && !slotId.includes('.'),
  );
  const isHidden = isHiddenValueId(id);
  const lines = isHidden ? [id] : textIds;
  if (isInContext(context, stripQuotationMarks(text))) return [];
  const statement = { kind: 'quote' as const, isHidden, ids: [id, ...slots] };
  const author = joinTexts(byline.filter((slotId) => slotsById.has(slotId) && !isGiven(slotId)));
  if (lines.length > 0 && !lines.some(isGiven))
    return [
      {
        ...statement,
        label: 'quote',
        text: shortenQuote(text, author),
        slot: textIds[0] ?? byline[0] ?? id,
      },
    ];
  const isLost = lines.length > 0 && author !== '' && !isInContext(context, author);
  return isLost
    ? [{ ...statement, label: 'author of a new quote', text: author, slot: byline[0]! }]
    : [];
}

/** A quote without its quotation marks. */
const stripQuotationMarks = (quote: string) => quote.replace(/^["“„«]|["”“»]$/gu, '');

const LONGEST_QUOTE = 60;
const shortenQuote = (quote: string, author: string) => {
  const words = stripQuotationMarks(quote);
  return author === '' || words.length <= LONGEST_QUOTE
    ? words
    : `${words.slice(0, LONGEST_QUOTE - 1).toWellFormed()}…`;
};

const MIN_SEARCHED_LENGTH = 5;
/**
 * Makes a check whether the context gives a fact too. A few digits may match by chance, so only an
 * equal fact counts for them.
 */
function createContextFactTest(context: ContextData): (fact: Fact) => boolean {
  const contextFacts = context.source.split('\n').flatMap((line) => findSlotFacts(textSlot(line)));
  return (fact) => {
    if (fact.text.length >= MIN_SEARCHED_LENGTH && isInContext(context, fact.text)) return true;
    if (fact.kind === 'address') return findWords(context.source, fact.text).length > 0;
    return contextFacts.some(
      (contextFact) =>
        isSameFact(contextFact, fact) &&
        (fact.kind !== 'price' || hasSameAmount(contextFact, fact)),
    );
  };
}

/** Compares sums with their currencies: `C$9` is not `$9`. */
const hasSameAmount = (first: Fact, second: Fact) =>
  first.text.replace(/\s/g, '') === second.text.replace(/\s/g, '');

/** Facts in texts that stayed, those on the visible page first. */
function findCarriedOverFacts({
  facts,
  replaced,
  context,
}: TemplateOutcome): CarriedOverStatement[] {
  const isGiven = createContextFactTest(context);
  const carriedOver = facts.filter((fact) => !replaced.has(fact) && !isGiven(fact));
  const statements = carriedOver.map((fact): CarriedOverStatement => {
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
  return statements.sort((first, second) => Number(first.isHidden) - Number(second.isHidden));
}

/** Star ratings other than the new rating, and maps, which a context can't replace. */
function findCarriedOverPlaces(
  { texts, rating }: TemplateOutcome,
  slotsById: Map<string, TextSlot>,
  claims: PageClaim[],
): CarriedOverStatement[] {
  return claims.flatMap(({ id, kind, text, slots }): CarriedOverStatement[] => {
    const isGiven = slots.some(
      (slotId) => slotsById.has(slotId) && texts.has(slotsById.get(slotId)!),
    );
    if (
      kind === 'quote' ||
      (kind === 'rating' && (isGiven || countStars(text) === countStarsForRating(rating ?? '')))
    )
      return [];
    return [
      {
        kind,
        label: kind,
        text,
        slot: slots[0] ?? null,
        isHidden: isHiddenValueId(id),
        ids: [id, ...slots],
      },
    ];
  });
}
