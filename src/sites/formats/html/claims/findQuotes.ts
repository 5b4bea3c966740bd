import type { PageClaim } from '../../pageParts.ts';
import { parsePieces, plainLine } from '../../../pages/texts/slotText.ts';
import type { LocatedBlock } from '../blocks/findBlocks.ts';
import { ancestors, attributeOf, closest, parentOf, type PageElement } from '../document.ts';
import type { SlotPlace } from '../slots/slotPlace.ts';

/** Whether a text is in quotation marks. */
const isQuoted = (text: string) => /^["“”„«»‘'].*\p{L}/u.test(text) && /["”“«»’']\.?$/u.test(text);
const QUOTED_WITH_AUTHOR = /^["“„«][^"“”„«»]{10,}["”“»]\s*(?:[-–—,(~]|by\b)\s*\p{Lu}/u;
const SAID = /["“„«][^"“”„«»]{10,}["”“»],?\s+(?:says|said|writes|wrote|told us|sagt|schreibt)\b/u;
const MIN_WORDS = 4;
const MAX_BYLINE_LENGTH = 100;
/** An author's name is in one of this many nested blocks around the quote. */
const MAX_NESTING = 4;

const wordCount = (text: string) => text.split(/\s+/).length;
const isRunningText = ({ slot, attribute }: SlotPlace) =>
  attribute === undefined &&
  ['paragraph', 'list-item', 'table-cell', 'other', 'caption'].includes(slot.role);

/**
 * Whether a text can be a byline, which names the author of a quote: it is short, has a capital,
 * and is not a sentence.
 */
function isByline({ slot, attribute }: SlotPlace): boolean {
  const text = plainLine(slot.text);
  const isShort = text.length <= MAX_BYLINE_LENGTH && !/[!?…]$|\p{Ll}\.$/u.test(text);
  return (
    attribute === undefined &&
    isShort &&
    slot.level !== 1 &&
    slot.level !== 2 &&
    /^(?:[-–—~]\s*)?\p{Lu}/u.test(text) &&
    wordCount(text) > 1
  );
}

const hasQuoteClass = (element: PageElement) =>
  /(?:^|[\s_-])(?:testimonial|quote|review)(?:$|[\s_]|-(?:item|card|box|block|body|text)\b)/i.test(
    attributeOf(element, 'class') ?? '',
  );
/**
 * Elements that hold a quote: the outermost `figure` or `blockquote`, or the innermost element with
 * a class for quotes.
 */
function quoteElements(elements: readonly PageElement[]): PageElement[] {
  const blockquoteAncestors = new Set<PageElement>();
  for (const element of elements)
    if (element.tagName === 'blockquote')
      for (const outerElement of ancestors(element))
        if (blockquoteAncestors.has(outerElement)) break;
        else blockquoteAncestors.add(outerElement);
  const isQuoteElement = (element: PageElement) =>
    blockquoteAncestors.has(element) && ['blockquote', 'figure'].includes(element.tagName);
  const insideQuotes = new Set<PageElement>();
  const nearestQuotes = new Map<PageElement, PageElement>();
  const outerQuotes = new Set<PageElement>();
  const quoteCandidates = elements.filter((element) => {
    const parent = parentOf(element);
    if (parent && (isQuoteElement(parent) || insideQuotes.has(parent))) insideQuotes.add(element);
    const outerElement = parent && nearestQuotes.get(parent);
    const isQuote =
      !insideQuotes.has(element) && (isQuoteElement(element) || hasQuoteClass(element));
    if (isQuote && outerElement) outerQuotes.add(outerElement);
    const ownQuote = isQuote ? element : outerElement;
    if (ownQuote) nearestQuotes.set(element, ownQuote);
    return isQuote;
  });
  return quoteCandidates.filter((element) => isQuoteElement(element) || !outerQuotes.has(element));
}

interface PageQuote extends Pick<PageClaim, 'text' | 'slots' | 'byline'> {
  element: PageElement;
}

/** The quotes of a page's content, each with its author. */
export function findQuotes(
  elements: readonly PageElement[],
  places: readonly SlotPlace[],
  blocks: readonly LocatedBlock[],
): PageQuote[] {
  const quotes: PageQuote[] = [];
  const takenPlaces = new Set<SlotPlace>();
  const isNear = createNearnessTest(blocks);
  const addQuote = (element: PageElement, ownPlaces: SlotPlace[]) => {
    const freePlaces = ownPlaces.filter((place) => !takenPlaces.has(place));
    const longest = Math.max(...freePlaces.map(({ slot }) => slot.text.length));
    const isAuthor = (place: SlotPlace) => isByline(place) && place.slot.text.length < longest;
    const bylines = freePlaces.filter((place) => isSigned(place) || isAuthor(place));
    const quotePlaces = freePlaces.filter(
      (place) => !bylines.includes(place) && place.attribute === undefined,
    );
    if (quotePlaces.length === 0) return;
    for (const place of freePlaces) takenPlaces.add(place);
    quotes.push({
      element,
      text: quotePlaces.map(({ slot }) => plainLine(slot.text)).join(' '),
      slots: freePlaces.map(({ slot }) => slot.id),
      byline: bylines.map(({ slot }) => slot.id),
    });
  };
  const placesIn = new Map(
    quoteElements(elements).map((element): [PageElement, SlotPlace[]] => [element, []]),
  );
  for (const place of placesIn.size > 0 ? places : [])
    for (const element of ancestors(place.element)) placesIn.get(element)?.push(place);
  for (const [element, ownPlaces] of placesIn) {
    const nextPlace = places[places.indexOf(ownPlaces.at(-1)!) + 1];
    const signedPlaces =
      ownPlaces.some(isSigned) || !nextPlace || !isSignature(nextPlace)
        ? ownPlaces
        : [...ownPlaces, nextPlace];
    if (
      ownPlaces.some((place) => wordCount(plainLine(place.slot.text)) >= MIN_WORDS) ||
      isShortQuote(signedPlaces)
    )
      addQuote(element, signedPlaces);
  }
  const lines = places.filter(({ attribute }) => attribute === undefined);
  for (const [i, place] of lines.entries()) {
    if (takenPlaces.has(place) || !isRunningText(place)) continue;
    const text = plainLine(place.slot.text);
    const isLong = isQuoted(text) && wordCount(text) >= MIN_WORDS;
    const author = isLong
      ? [lines[i + 1], lines[i - 1]].find(
          (candidate) => candidate && isAuthorLine(candidate) && isNear(place, candidate),
        )
      : undefined;
    if (author)
      addQuote(place.element, author === lines[i + 1] ? [place, author] : [author, place]);
    else if (QUOTED_WITH_AUTHOR.test(text) || SAID.test(text) || hasLongQ(place))
      addQuote(place.element, [place]);
  }
  return quotes;
}

/** Makes a test for whether two texts share one of the nearest blocks around them. */
function createNearnessTest(
  blocks: readonly LocatedBlock[],
): (place: SlotPlace, otherPlace: SlotPlace) => boolean {
  const blockBySlot = new Map(blocks.flatMap(({ id, slots }) => slots.map((slot) => [slot, id])));
  const outerBlockById = new Map(blocks.map(({ id, around }) => [id, around]));
  const surroundingBlocks = ({ slot }: SlotPlace) => {
    const ids: string[] = [];
    for (
      let id = blockBySlot.get(slot.id) ?? null;
      id !== null && ids.length < MAX_NESTING;
      id = outerBlockById.get(id) ?? null
    )
      ids.push(id);
    return ids;
  };
  return (place, otherPlace) => {
    const ids = surroundingBlocks(otherPlace);
    return surroundingBlocks(place).some((id) => ids.includes(id));
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
      isRunningText(place) &&
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
  let [depth, words] = [0, 0];
  for (const piece of parsePieces(slot.text)) {
    if (piece.kind === 'text') words += depth > 0 ? wordCount(piece.text.trim()) : 0;
    else if (slot.parts[piece.part - 1] === 'q') depth += piece.kind === 'open' ? 1 : -1;
  }
  return words >= MIN_WORDS;
}
