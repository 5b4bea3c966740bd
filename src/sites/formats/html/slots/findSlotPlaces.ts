import { defined } from '../../../../contract/defined.ts';
import { limits } from '../../../../contract/task.ts';
import { DomainError } from '../../../../errors.ts';
import { plainLine } from '../../../pages/slotText.ts';
import {
  childrenOf,
  closest,
  isElement,
  isSvg,
  type Element,
  type HtmlDocument,
} from '../document.ts';
import { hiddenBetween, inlineOf, readable, type Inline } from './inline.ts';
import { headingLevel, holdsOneText, isLabel, landmarkOf, roleOf } from '../roles.ts';
import { slotOf, type SlotPlace } from './slotPlace.ts';
import { judgePlaces } from './judgeNumbers.ts';
import { attributePlaces, jsonPlaces, titlePlaces } from './plainSlotPlaces.ts';
import { layOut, runText } from './textRun.ts';
import { writeRun } from './writeRun.ts';
import { hasWords } from '../../../../text/text.ts';
import { idOf } from '../openPage.ts';
import { remembered } from '../../../remembered.ts';

/**
 * All texts of a page that a reader or a search engine sees, in document order. A slot's id comes
 * from its element's number in the page (`s12`), so changes of texts keep the ids.
 * @throws LIMIT_EXCEEDED for more than 3,000 slots
 */
export const findSlotPlaces = (page: HtmlDocument): SlotPlace[] =>
  remembered(found, page.numbers, () => search(page));

const found = new WeakMap<HtmlDocument['numbers'], SlotPlace[]>();

function search(page: HtmlDocument): SlotPlace[] {
  const places: SlotPlace[] = [];
  for (const child of childrenOf(page.root)) walk(page, child, places);
  for (const element of page.elements) {
    places.push(...attributePlaces(page, element));
    if (element.tagName === 'title' && !isSvg(element)) places.push(...titlePlaces(page, element));
    if (element.tagName === 'script') places.push(...jsonPlaces(page, element));
  }
  if (places.length > limits.pageSlots)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `The page has ${places.length} texts; at most ${limits.pageSlots} are allowed`,
    );
  places.sort((a, b) => a.start - b.start || b.end - a.end);
  addSections(places);
  judgePlaces(page, places);
  return places;
}

/** Sets each slot's `section`. For texts in a landmark, only headings in that landmark count. */
function addSections(places: SlotPlace[]) {
  const headings = new Map<Element | null, string>();
  for (const { slot, element } of places) {
    if (slot.role === 'structured-data' || isInHead(element)) continue;
    const landmark = landmarkOf(element);
    slot.section = headings.get(landmark) ?? null;
    if (slot.role === 'heading') headings.set(landmark, plainLine(slot.text));
  }
}

const isInHead = (element: Element) =>
  closest(element, ({ tagName }) => tagName === 'head') !== undefined;

/** Elements without texts for readers, or whose texts are found elsewhere. */
const skipped = new Set(
  'head script style textarea iframe object canvas video audio noembed noframes xmp plaintext math'.split(
    ' ',
  ),
);

/** Finds running text among a block's children, and in nested blocks. */
function walk(page: HtmlDocument, block: Element, places: SlotPlace[]) {
  if (skipped.has(block.tagName) || (block.tagName === 'title' && !isSvg(block))) return;
  let run: Inline[] = [];
  let before = 0;
  let seen = 0;
  const flush = () => {
    places.push(...runPlaces(page, block, { list: run, before }));
    run = [];
  };
  for (const child of block.childNodes) {
    const islands: Element[] = [];
    const inline = inlineOf(page, child, islands);
    const between =
      inline && hiddenBetween(page, run.at(-1)?.end ?? inline[0]?.start ?? 0, inline[0]?.start);
    if (!between) flush();
    if (inline && run.length === 0) before = seen;
    if (inline) run.push(...(between ?? []), ...inline);
    else if (isElement(child)) walk(page, child, places);
    for (const island of inline ? islands : []) walk(page, island, places);
    if (isElement(child)) seen++;
  }
  flush();
}

/** Running text of an element, and the number of child elements before it. */
interface InlineRun {
  list: Inline[];
  before: number;
}

/** The slots of running text: one, or one for each part if the text is only a row of parts. */
function runPlaces(page: HtmlDocument, holder: Element, run: InlineRun): SlotPlace[] {
  const list = trim(run.list);
  const [first] = list;
  if (!first || !readable(list)) return [];
  if ((list.length === 1 && first.kind === 'part') || isRow(holder, list))
    return list
      .filter((piece) => piece.kind === 'part')
      .flatMap(({ element, children }) => runPlaces(page, element, { list: children, before: 0 }));
  return [runPlace(page, holder, { list, before: run.before })];
}

/** Removes white space, comments and icons at the ends, but keeps line breaks. */
function trim(list: Inline[]): Inline[] {
  const counts = (piece: Inline) =>
    piece.kind === 'part' ||
    (piece.kind === 'text' && /[^ \t\n\f\r]/.test(piece.value)) ||
    (piece.kind === 'atom' && piece.element.tagName === 'br');
  const first = list.findIndex(counts);
  return first < 0 ? [] : list.slice(first, list.findLastIndex(counts) + 1);
}

/** Whether running text is only a row of parts, such as links. Each of them is then a slot. */
function isRow(holder: Element, list: Inline[]): boolean {
  const parts = list.filter((piece) => piece.kind === 'part');
  if (parts.length < 2 || list.some((piece) => piece.kind === 'text' && hasWords(piece.value)))
    return false;
  if (headingLevel(holder) !== undefined) return false;
  return parts.every(({ element }) => element.tagName === 'a') || !holdsOneText(holder);
}

function runPlace(page: HtmlDocument, element: Element, { list, before }: InlineRun): SlotPlace {
  const pre =
    closest(element, ({ tagName }) => tagName === 'pre' || tagName === 'listing') !== undefined;
  const run = layOut(list, pre);
  const level = headingLevel(element);
  const parts = partElements(list);
  const id = idOf(page, element) + (before > 0 ? `-${before}` : '');
  return {
    slot: {
      ...slotOf(id, roleOf(element), runText(run)),
      ...defined({ level }),
      parts: run.parts,
      ...(isLabel(element) && { label: true }),
    },
    element,
    start: list[0]?.start ?? 0,
    end: list.at(-1)?.end ?? 0,
    parts,
    gaps: run.gaps.map(({ texts, at }) => ({
      start: texts[0]?.start ?? at,
      end: texts.at(-1)?.end ?? at,
    })),
    ranges: run.gaps.flatMap(({ texts, at }) =>
      texts.length > 0 ? texts : [{ start: at, end: at }],
    ),
    write: (edit, text) => writeRun(edit, run, text),
  };
}

/** The elements of the numbered parts, in order. */
const partElements = (list: Inline[]): Element[] =>
  list.flatMap((piece) => {
    if (piece.kind === 'text' || piece.kind === 'hidden') return [];
    return [piece.element, ...(piece.kind === 'part' ? partElements(piece.children) : [])];
  });
