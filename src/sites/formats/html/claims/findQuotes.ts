import type { Claim } from '../../page.ts';
import { parsePieces, plainLine } from '../../../pages/slotText.ts';
import type { BlockAt } from '../blocks/findBlocks.ts';
import { ancestors, attributeOf, closest, parentOf, type Element } from '../document.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';

/** Whether a text is in quotation marks. */
const isQuoted = (text: string) => /^["“”„«»‘'].*\p{L}/u.test(text) && /["”“«»’']\.?$/u.test(text);
const QUOTED_WITH_AUTHOR = /^["“„«][^"“”„«»]{10,}["”“»]\s*(?:[-–—,(~]|by\b)\s*\p{Lu}/u;
const SAID = /["“„«][^"“”„«»]{10,}["”“»],?\s+(?:says|said|writes|wrote|told us|sagt|schreibt)\b/u;
const LEAST_WORDS = 4;
const LONGEST_BYLINE = 100;
/** An author's name is in one of this many nested blocks around the quote. */
const NEAR = 4;

const wordsOf = (text: string) => text.split(/\s+/).length;
const isRunning = ({ slot, attribute }: SlotPlace) =>
  attribute === undefined &&
  ['paragraph', 'list-item', 'table-cell', 'other', 'caption'].includes(slot.role);

/**
 * Whether a text can name the author of a quote: it is short, has a capital, and is no sentence.
 */
function isByline({ slot, attribute }: SlotPlace): boolean {
  const text = plainLine(slot.text);
  const isShort = text.length <= LONGEST_BYLINE && !/[!?…]$|\p{Ll}\.$/u.test(text);
  return (
    attribute === undefined &&
    isShort &&
    slot.level !== 1 &&
    slot.level !== 2 &&
    /^(?:[-–—~]\s*)?\p{Lu}/u.test(text) &&
    wordsOf(text) > 1
  );
}

const hasClass = (element: Element) =>
  /(?:^|[\s_-])(?:testimonial|quote|review)(?:$|[\s_]|-(?:item|card|box|block|body|text)\b)/i.test(
    attributeOf(element, 'class') ?? '',
  );
/**
 * Elements that hold a quote: the outermost `figure` or `blockquote`, or the innermost element with
 * a class for quotes.
 */
function quoteElements(elements: readonly Element[]): Element[] {
  const holding = new Set<Element>();
  for (const element of elements)
    if (element.tagName === 'blockquote')
      for (const outer of ancestors(element))
        if (holding.has(outer)) break;
        else holding.add(outer);
  const isBuilt = (element: Element) =>
    holding.has(element) && ['blockquote', 'figure'].includes(element.tagName);
  const inBuilt = new Set<Element>();
  const nearest = new Map<Element, Element>();
  const around = new Set<Element>();
  const found = elements.filter((element) => {
    const parent = parentOf(element);
    if (parent && (isBuilt(parent) || inBuilt.has(parent))) inBuilt.add(element);
    const outer = parent && nearest.get(parent);
    const isQuote = !inBuilt.has(element) && (isBuilt(element) || hasClass(element));
    if (isQuote && outer) around.add(outer);
    const own = isQuote ? element : outer;
    if (own) nearest.set(element, own);
    return isQuote;
  });
  return found.filter((element) => isBuilt(element) || !around.has(element));
}

interface Quote extends Pick<Claim, 'text' | 'slots' | 'byline'> {
  element: Element;
}

/** The quotes of a page's content, each with its author. */
export function findQuotes(
  elements: readonly Element[],
  places: readonly SlotPlace[],
  blocks: readonly BlockAt[],
): Quote[] {
  const quotes: Quote[] = [];
  const taken = new Set<SlotPlace>();
  const isNear = nearnessOf(blocks);
  const add = (element: Element, own: SlotPlace[]) => {
    const free = own.filter((place) => !taken.has(place));
    const longest = Math.max(...free.map(({ slot }) => slot.text.length));
    const isAuthor = (place: SlotPlace) => isByline(place) && place.slot.text.length < longest;
    const bylines = free.filter((place) => isSigned(place) || isAuthor(place));
    const said = free.filter((place) => !bylines.includes(place) && place.attribute === undefined);
    if (said.length === 0) return;
    for (const place of free) taken.add(place);
    quotes.push({
      element,
      text: said.map(({ slot }) => plainLine(slot.text)).join(' '),
      slots: free.map(({ slot }) => slot.id),
      byline: bylines.map(({ slot }) => slot.id),
    });
  };
  const placesIn = new Map(
    quoteElements(elements).map((element): [Element, SlotPlace[]] => [element, []]),
  );
  for (const place of placesIn.size > 0 ? places : [])
    for (const element of ancestors(place.element)) placesIn.get(element)?.push(place);
  for (const [element, own] of placesIn) {
    const next = places[places.indexOf(own.at(-1)!) + 1];
    const signed = own.some(isSigned) || !next || !isSignature(next) ? own : [...own, next];
    if (
      own.some((place) => wordsOf(plainLine(place.slot.text)) >= LEAST_WORDS) ||
      isShortQuote(signed)
    )
      add(element, signed);
  }
  const lines = places.filter(({ attribute }) => attribute === undefined);
  for (const [i, place] of lines.entries()) {
    if (taken.has(place) || !isRunning(place)) continue;
    const text = plainLine(place.slot.text);
    const isLong = isQuoted(text) && wordsOf(text) >= LEAST_WORDS;
    const author = isLong
      ? [lines[i + 1], lines[i - 1]].find(
          (other) => other && isAuthorLine(other) && isNear(place, other),
        )
      : undefined;
    if (author) add(place.element, author === lines[i + 1] ? [place, author] : [author, place]);
    else if (QUOTED_WITH_AUTHOR.test(text) || SAID.test(text) || hasLongQ(place))
      add(place.element, [place]);
  }
  return quotes;
}

/** Makes a test for whether two texts share one of the nearest blocks around them. */
function nearnessOf(blocks: readonly BlockAt[]): (a: SlotPlace, b: SlotPlace) => boolean {
  const blockOf = new Map(blocks.flatMap(({ id, slots }) => slots.map((slot) => [slot, id])));
  const aroundOf = new Map(blocks.map(({ id, around }) => [id, around]));
  const blocksAround = ({ slot }: SlotPlace) => {
    const ids: string[] = [];
    for (
      let id = blockOf.get(slot.id) ?? null;
      id !== null && ids.length < NEAR;
      id = aroundOf.get(id) ?? null
    )
      ids.push(id);
    return ids;
  };
  return (a, b) => {
    const ids = blocksAround(b);
    return blocksAround(a).some((id) => ids.includes(id));
  };
}

const isSigned = ({ element, attribute }: SlotPlace) =>
  attribute === undefined &&
  closest(
    element,
    ({ tagName, parentNode }) =>
      tagName === 'figcaption' ||
      tagName === 'cite' ||
      (tagName === 'footer' && parentNode?.nodeName === 'blockquote'),
  ) !== undefined;

/** Whether a few words are a quote because an author is named: `Simply great.` */
const isShortQuote = (places: SlotPlace[]) =>
  places.some((place) => isSigned(place) || isByline(place)) &&
  places.some(
    (place) =>
      isRunning(place) &&
      !isSigned(place) &&
      /\p{L}[.!…]["”“»’']?$/u.test(plainLine(place.slot.text)),
  );

/** Whether a line after a quote can only be its author: `— Ruth Calloway`. */
const isSignature = (place: SlotPlace) =>
  /^[-–—~]\s*\p{Lu}/u.test(plainLine(place.slot.text)) && isByline(place);

const isAuthorLine = (place: SlotPlace) => isByline(place) && !isQuoted(plainLine(place.slot.text));

/** Whether a text has a `q` element with several words. */
function hasLongQ({ slot }: SlotPlace): boolean {
  if (!slot.parts.includes('q')) return false;
  let [inside, words] = [0, 0];
  for (const piece of parsePieces(slot.text)) {
    if (piece.kind === 'text') words += inside > 0 ? wordsOf(piece.text.trim()) : 0;
    else if (slot.parts[piece.part - 1] === 'q') inside += piece.kind === 'open' ? 1 : -1;
  }
  return words >= LEAST_WORDS;
}
