import { trimEndCharacters } from '../../../contract/text/summaries.ts';
import { DomainError } from '../../../errors.ts';
import { alignWords, findWordSpans, type WordAlignment } from './alignWords.ts';
import {
  formatMarks,
  parseMarks,
  readPlainText,
  type MarkedNode,
  type InlinePart,
} from './parseMarks.ts';
import { findWords, doSpansOverlap, createFurthestEndFinder, type TextSpan } from './textSpans.ts';

/** Limit of one text's number of parts times its length: each part needs its own search. */
const MAX_FITTING_WORK = 20_000_000;

interface PlacedPart extends TextSpan {
  part: InlinePart;
  /** The part's new content. null: the words of the new text at this place. */
  content: MarkedNode[] | null;
}

/** A text whose parts are being placed in a new one. */
interface TextFitting {
  /** The old text without marks. */
  old: string;
  /** The new text without marks. */
  plain: string;
  placed: PlacedPart[];
  isLink: IsLinkPart;
}

type IsLinkPart = (part: InlinePart) => boolean;
type PartPosition = TextSpan & { part: InlinePart };

/**
 * Fits a new plain text into a slot's marked text. Each part appears once, properly nested. A part
 * goes to its words in the new text, or else to the words that replaced them. A link without either
 * keeps its text and goes to the end. `See <1>our work</1>.` with the new text `Look at our work!`
 * becomes `Look at <1>our work</1>!`.
 * @param marked the slot's current text
 * @param tags the slot's `parts`: the element name of part n is at index n - 1
 * @param newText the new text, without marks
 * @throws DomainError LIMIT_EXCEEDED for a text that is too long for its number of parts
 */
export function fitText(marked: string, tags: string[], newText: string): string {
  const nodes = parseMarks(marked) ?? [];
  return formatMarks(fitNodes(nodes, newText, (part) => isLinkTag(tags[part.number - 1])));
}

export const isLinkTag = (tag = '') => ['a', 'button'].includes(tag);

/**
 * Fits two lines, a name and its description, into a text that has the name in a part or before a
 * line break. The separator stays as it is: a comma, a dash, or only the line break.
 * @returns null if the text has another form
 */
export function fitByline(marked: string, newText: string): string | null {
  const [name = '', description] = newText.split('\n');
  const nodes = parseMarks(marked) ?? [];
  const [firstNode, secondNode, ...otherNodes] = nodes;
  if (description === undefined || firstNode === undefined) return null;
  const isNamed =
    typeof firstNode !== 'string' &&
    !firstNode.isVoid &&
    firstNode.children.every((child) => typeof child === 'string');
  if (isNamed && typeof secondNode === 'string' && otherNodes.length === 0)
    return formatMarks([
      { ...firstNode, children: [name] },
      /^[\s,;|·–—-]*/u.exec(secondNode)![0],
      description,
    ]);
  const hasLineBreak =
    typeof firstNode === 'string' && typeof secondNode === 'object' && secondNode.isVoid;
  return hasLineBreak && otherNodes.length === 1
    ? formatMarks([name, secondNode, replaceNodeText(otherNodes[0]!, description)])
    : null;
}

/** A copy of the node with another text: plain text, or a part that contains only this text. */
const replaceNodeText = (node: MarkedNode, text: string): MarkedNode =>
  typeof node === 'string' ? text : { ...node, children: [text] };

function fitNodes(nodes: MarkedNode[], newText: string, isLink: IsLinkPart): MarkedNode[] {
  const parts = nodes.filter((node) => typeof node !== 'string');
  if (parts.length === 0) return newText === '' ? [] : [newText];
  const oldText = readPlainText(nodes);
  if (parts.length * (oldText.length + newText.length) > MAX_FITTING_WORK)
    throw new DomainError(
      'LIMIT_EXCEEDED',
      `A text with ${parts.length} links and other inline tags is too long to be replaced`,
    );
  const alignSpan = alignWords(oldText, newText);
  const placedParts: PlacedPart[] = [];
  const textFitting = { old: oldText, plain: newText, placed: placedParts, isLink };
  const unplacedParts: InlinePart[] = [];
  const positions = locateParts(nodes);
  const longestFirst = positions
    .filter(({ part }) => hasPartWords(part))
    .sort((first, second) => second.to - second.from - (first.to - first.from));
  for (const position of longestFirst) {
    const span =
      findRecurrence(position, textFitting) ??
      findSuccessor(position, alignSpan(position), textFitting);
    if (span) placedParts.push({ part: position.part, ...span, content: null });
    else unplacedParts.push(position.part);
  }
  for (const position of positions.filter(({ part }) => !hasPartWords(part)))
    placedParts.push(findGap(position, alignSpan(position), textFitting));
  const { links = [], others: otherParts = [] } = Object.groupBy(unplacedParts, (part) =>
    mustKeepText(part, isLink) ? 'links' : 'others',
  );
  placedParts.push(...otherParts.map((part) => placeEmptyPart(part, textFitting)));
  return composeNodes(textFitting, links);
}

const hasPartWords = (part: InlinePart) =>
  !part.isVoid && /[\p{L}\p{N}]/u.test(readPlainText(part.children));

/** The position of each part in the plain text. */
function locateParts(nodes: MarkedNode[]): PartPosition[] {
  let position = 0;
  return nodes.flatMap((node) => {
    const from = position;
    position += readPlainText([node]).length;
    return typeof node === 'string' ? [] : [{ part: node, from, to: position }];
  });
}

/** Where the part's words recur in the new text. Of several places, the nearest to the old one. */
function findRecurrence(
  oldSpan: TextSpan,
  { old: oldText, plain: newText, placed: placedParts }: TextFitting,
): TextSpan | null {
  const center = ({ from, to }: TextSpan, length: number) => (from + to) / 2 / Math.max(1, length);
  const distance = (span: TextSpan) =>
    Math.abs(center(span, newText.length) - center(oldSpan, oldText.length));
  const recurrences = findWords(newText, oldText.slice(oldSpan.from, oldSpan.to), {
    anyCase: true,
  });
  return (
    recurrences
      .filter(createFreeTest(placedParts))
      .sort((first, second) => distance(first) - distance(second))[0] ?? null
  );
}

function createFreeTest(placedSpans: TextSpan[]): (span: TextSpan) => boolean {
  const furthestEnd = createFurthestEndFinder(placedSpans);
  return ({ from, to }) => furthestEnd(to) <= from;
}

/**
 * The words that replaced the part's words: those between the shared words around the part. If
 * these also replace other words, the part's share of them.
 */
function findSuccessor(
  position: PartPosition,
  { between, isExact: exact }: WordAlignment,
  { old: oldText, plain: newText, placed: placedParts, isLink }: TextFitting,
): TextSpan | null {
  if (between.length === 0 || (!exact && mustKeepText(position.part, isLink))) return null;
  const wordSpan = exact ? joinSpans(between) : selectShare(position, oldText, between);
  const span = trimFinalPunctuation(wordSpan, newText, oldText.slice(position.from, position.to));
  // a link inside this part may move to the part's end, which must not be mid-sentence
  if (!isLink(position.part) && mustKeepText(position.part, isLink) && span.to < newText.length)
    return null;
  return createFreeTest(placedParts)(span) ? span : null;
}

const joinSpans = (words: TextSpan[]): TextSpan => ({ from: words[0]!.from, to: words.at(-1)!.to });

/** The span without its final punctuation, if the part's old words had none. */
function trimFinalPunctuation({ from, to }: TextSpan, newText: string, oldWords: string): TextSpan {
  const words = newText.slice(from, to);
  const trailingLength = /[\p{L}\p{N}]$/u.test(oldWords.trim())
    ? words.length - trimEndCharacters(words, '.,;:!?…').length
    : 0;
  return { from, to: trailingLength < words.length ? to - trailingLength : to };
}

/**
 * As many words as the part had, at the same relative position. So emphasis on the last word stays
 * on the last word.
 */
function selectShare(oldSpan: TextSpan, oldText: string, words: TextSpan[]): TextSpan {
  const oldWords = findWordSpans(oldText);
  const ownCount = oldWords.filter((word) => doSpansOverlap(word, oldSpan)).length;
  const countBefore = oldWords.filter((word) => word.to <= oldSpan.from).length;
  const count = Math.min(Math.max(1, ownCount), words.length);
  const otherCount = Math.max(1, oldWords.length - ownCount);
  const start = Math.round((countBefore / otherCount) * (words.length - count));
  return joinSpans(words.slice(start, start + count));
}

/**
 * The place of a part without words, such as a line break or an icon: before the word that followed
 * the part, if the new text has this word.
 */
function findGap(
  position: PartPosition,
  { before, after }: WordAlignment,
  { old: oldText, plain: newText, placed: placedParts }: TextFitting,
): PlacedPart {
  const words = findWordSpans(newText);
  const ratio = position.from / Math.max(1, oldText.length);
  const furthestEnd = createFurthestEndFinder(placedParts);
  const gaps = [0, ...words.slice(1).map(({ from }) => from), newText.length].filter(
    (gap) => furthestEnd(gap) <= gap,
  );
  let wantedGap = after?.from ?? before?.to ?? ratio * newText.length;
  if (position.from === 0) wantedGap = 0;
  else if (position.to >= oldText.length) wantedGap = newText.length;
  const gap =
    gaps.sort(
      (first, second) =>
        Math.abs(first - wantedGap) - Math.abs(second - wantedGap) || first - second,
    )[0] ?? newText.length;
  return { part: position.part, from: gap, to: gap, content: position.part.children };
}

/**
 * The place of a part whose words are gone: next to the part before it, or else before the part
 * after it.
 */
function placeEmptyPart(
  part: InlinePart,
  { plain: newText, placed: placedParts }: TextFitting,
): PlacedPart {
  const partsInOrder = placedParts.toSorted(
    (first, second) => first.part.number - second.part.number,
  );
  const previousPart = partsInOrder.findLast((candidate) => candidate.part.number < part.number);
  const nextPart = partsInOrder.find((candidate) => candidate.part.number > part.number);
  const position = previousPart?.to ?? nextPart?.from ?? newText.length;
  return { part, from: position, to: position, content: emptyPart(part).children };
}

/**
 * Builds the new text from the placed parts.
 * @param unplacedLinks links without a place in the new text
 */
function composeNodes(
  { plain: newText, placed: placedParts, isLink }: TextFitting,
  unplacedLinks: InlinePart[],
): MarkedNode[] {
  const result: MarkedNode[] = [];
  let position = 0;
  const comparePlaced = (first: PlacedPart, second: PlacedPart) =>
    first.from - second.from || first.to - second.to || first.part.number - second.part.number;
  for (const { part, content, ...span } of placedParts.sort(comparePlaced)) {
    if (span.from > position) result.push(newText.slice(position, span.from));
    result.push({
      ...part,
      children: content ?? fitNodes(part.children, newText.slice(span.from, span.to), isLink),
    });
    position = Math.max(position, span.to);
  }
  if (position < newText.length) result.push(newText.slice(position));
  for (const part of unplacedLinks) result.push(' ', part);
  return result;
}

const mustKeepText = (part: InlinePart, isLink: IsLinkPart): boolean =>
  isLink(part) ||
  part.children.some((child) => typeof child !== 'string' && mustKeepText(child, isLink));

const emptyPart = (part: InlinePart): InlinePart => ({
  ...part,
  children: part.children.filter((child) => typeof child !== 'string').map(emptyPart),
});
