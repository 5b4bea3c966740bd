import { withoutUndefined } from '../../../../contract/withoutUndefined.ts';
import { plainLine } from '../../../pages/texts/slotText.ts';
import {
  childrenOf,
  closest,
  isElement,
  isSvg,
  type PageElement,
  type HtmlDocument,
} from '../document.ts';
import { hiddenBetween, readInline, hasVisibleWords, type InlinePiece } from './inline.ts';
import { headingLevel, holdsOneText, isLabelElement, landmarkOf, roleOf } from '../roles.ts';
import { createSlot, sortPlaces } from '../../textPlaces.ts';
import type { SlotPlace } from './slotPlace.ts';
import { judgePlaces } from './judgeNumbers.ts';
import { attributePlaces, jsonPlaces, titlePlaces } from './plainSlotPlaces.ts';
import { layOutRun, runText } from '../../textRun.ts';
import { textKind } from '../../rewriteSource.ts';
import { writeRun } from '../../writeRun.ts';
import { hasWords } from '../../../../text/text.ts';
import { elementSlotId } from '../openHtmlPage.ts';
import { getOrCreate } from '../../../remembered.ts';

/**
 * Slots: the texts of a page that a reader or a search engine sees, each with an id. A slot place
 * is a slot with its position in the source and a function that writes a new text there.
 * `findSlotPlaces` finds them:
 *
 * - running text, which may contain inline tags (`inline.ts`, `textRun.ts`), and which
 *   `writeRun.ts` writes
 * - attributes, titles and structured data (`plainSlotPlaces.ts`, `jsonLd.ts`)
 *
 * `writeTexts.ts` writes new texts into places. `rewriteSource.ts` and `sourceCharacters.ts` keep
 * what stays the same: for the new text `Web in <1>Lisbon</1>`, only one word of `<p>Web in
 * <b>Austin</b></p>` changes.
 */

/**
 * All slots of a page with their places, in document order. A slot's id comes from its element's
 * number in the page (`s12`), so changes of texts keep the ids.
 * @throws LIMIT_EXCEEDED for more than 3,000 slots
 */
export const findSlotPlaces = (page: HtmlDocument): SlotPlace[] =>
  getOrCreate(cachedPlaces, page.elementNumbers, () => searchPlaces(page));

const cachedPlaces = new WeakMap<HtmlDocument['elementNumbers'], SlotPlace[]>();

function searchPlaces(page: HtmlDocument): SlotPlace[] {
  const places: SlotPlace[] = [];
  for (const child of childrenOf(page.root)) collectPlaces(page, child, places);
  for (const element of page.elements) {
    places.push(...attributePlaces(page, element));
    if (element.tagName === 'title' && !isSvg(element)) places.push(...titlePlaces(page, element));
    if (element.tagName === 'script') places.push(...jsonPlaces(page, element));
  }
  addSections(sortPlaces(places));
  judgePlaces(page, places);
  return places;
}

/** Sets each slot's `section`. For texts in a landmark, only headings in that landmark count. */
function addSections(places: SlotPlace[]) {
  const headings = new Map<PageElement | null, string>();
  for (const { slot, element } of places) {
    if (slot.role === 'structured-data' || isInPageHead(element)) continue;
    const landmark = landmarkOf(element);
    slot.section = headings.get(landmark) ?? null;
    if (slot.role === 'heading') headings.set(landmark, plainLine(slot.text));
  }
}

const isInPageHead = (element: PageElement) =>
  closest(element, ({ tagName }) => tagName === 'head') !== undefined;

/** Elements without texts for readers, or whose texts are found elsewhere. */
const skippedTags = new Set(
  'head script style textarea iframe object canvas video audio noembed noframes xmp plaintext math'.split(
    ' ',
  ),
);

/** Finds running text among a block's children, and in nested blocks. */
function collectPlaces(page: HtmlDocument, block: PageElement, places: SlotPlace[]) {
  if (skippedTags.has(block.tagName) || (block.tagName === 'title' && !isSvg(block))) return;
  let inlineRun: InlinePiece[] = [];
  let before = 0;
  let elementCount = 0;
  const flush = () => {
    places.push(...runPlaces(page, block, { list: inlineRun, before }));
    inlineRun = [];
  };
  for (const child of block.childNodes) {
    const islands: PageElement[] = [];
    const pieces = readInline(page, child, islands);
    const hiddenPieces =
      pieces &&
      hiddenBetween(page, inlineRun.at(-1)?.end ?? pieces[0]?.start ?? 0, pieces[0]?.start);
    if (!hiddenPieces) flush();
    if (pieces && inlineRun.length === 0) before = elementCount;
    if (pieces) inlineRun.push(...(hiddenPieces ?? []), ...pieces);
    else if (isElement(child)) collectPlaces(page, child, places);
    for (const island of pieces ? islands : []) collectPlaces(page, island, places);
    if (isElement(child)) elementCount++;
  }
  flush();
}

/** Running text of an element, and the number of child elements before it. */
interface InlineRun {
  list: InlinePiece[];
  before: number;
}

/** The slots of running text: one, or one for each part if the text is only a row of parts. */
function runPlaces(page: HtmlDocument, holder: PageElement, run: InlineRun): SlotPlace[] {
  const list = trimPieces(run.list);
  const [first] = list;
  if (!first || !hasVisibleWords(list)) return [];
  if (isSinglePart(list) || isRow(holder, list))
    return list
      .filter((piece) => piece.kind === 'part')
      .flatMap(({ element, children }) => runPlaces(page, element, { list: children, before: 0 }));
  return [runPlace(page, holder, { list, before: run.before })];
}

/** Removes white space, comments and icons at the ends, but keeps line breaks. */
function trimPieces(list: InlinePiece[]): InlinePiece[] {
  const isVisible = (piece: InlinePiece) =>
    piece.kind === 'part' ||
    (piece.kind === 'text' && /[^ \t\n\f\r]/.test(piece.value)) ||
    (piece.kind === 'atom' && piece.element.tagName === 'br');
  const firstIndex = list.findIndex(isVisible);
  return firstIndex < 0 ? [] : list.slice(firstIndex, list.findLastIndex(isVisible) + 1);
}

/** Whether running text is only one part, or one link with line breaks or icons around it. */
function isSinglePart(list: InlinePiece[]): boolean {
  const [part, ...otherParts] = list.filter((piece) => piece.kind === 'part');
  if (!part || otherParts.length > 0) return false;
  const hasOtherWords = list.some((piece) => piece.kind === 'text' && hasWords(piece.value));
  return list.length === 1 || (part.element.tagName === 'a' && !hasOtherWords);
}

/** Whether running text is only a row of parts, such as links. Each of them is then a slot. */
function isRow(holder: PageElement, list: InlinePiece[]): boolean {
  const parts = list.filter((piece) => piece.kind === 'part');
  if (parts.length < 2 || list.some((piece) => piece.kind === 'text' && hasWords(piece.value)))
    return false;
  if (headingLevel(holder) !== undefined) return false;
  return parts.every(({ element }) => element.tagName === 'a') || !holdsOneText(holder);
}

function runPlace(
  page: HtmlDocument,
  element: PageElement,
  { list, before }: InlineRun,
): SlotPlace {
  const pre =
    closest(element, ({ tagName }) => tagName === 'pre' || tagName === 'listing') !== undefined;
  const run = layOutRun(list, pre);
  const level = headingLevel(element);
  const parts = partElements(list);
  const id = elementSlotId(page, element) + (before > 0 ? `-${before}` : '');
  return {
    slot: {
      ...createSlot(id, roleOf(element), runText(run)),
      ...withoutUndefined({ level }),
      parts: run.parts,
      ...(isLabelElement(element) && { label: true }),
    },
    element,
    start: list[0]?.start ?? 0,
    end: list.at(-1)?.end ?? 0,
    inlineElements: parts,
    gaps: run.gaps.map(({ texts, at }) => ({
      start: texts[0]?.start ?? at,
      end: texts.at(-1)?.end ?? at,
    })),
    ranges: run.gaps.flatMap(({ texts, at }) =>
      texts.length > 0 ? texts : [{ start: at, end: at }],
    ),
    write: (sourceEditor, text) => writeRun(sourceEditor, { run, kind: textKind }, text),
  };
}

/** The elements of the numbered parts, in order. */
const partElements = (list: InlinePiece[]): PageElement[] =>
  list.flatMap((piece) => {
    if (piece.kind === 'text' || piece.kind === 'hidden') return [];
    return [piece.element, ...(piece.kind === 'part' ? partElements(piece.children) : [])];
  });
