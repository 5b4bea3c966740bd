import { ancestors, type Element } from '../formats/html/document.ts';
import type { SlotPlace } from '../formats/html/slots/slotPlace.ts';
import { parsePieces, plainText } from '../pages/slots.ts';

/** What programs and writers leave where a text should have come: each is wrong wherever it stands. */
const leftovers = [
  /\{\{[^{}]{0,80}\}\}/g,
  /\{%[^{}%]{0,80}%\}/g,
  /<%[^<>%]{0,80}%>/g,
  /\$\{[\w.]{1,60}\}/g,
  /\[object [A-Z]\w{0,20}\]/g,
  /\blorem ipsum dolor\b/gi,
  /\[(?:your|insert|enter) [^[\]]{1,60}\]/gi,
  /\[(?:(?:FIRST |LAST |COMPANY |BUSINESS )?NAME|CITY|COMPANY|ADDRESS|PHONE|EMAIL|DATE|PRICE|URL)\]/g,
  /\[(?:TODO|FIXME|PLACEHOLDER)\b[^[\]]{0,80}\]/gi,
  /\b(?:TODO|FIXME):/g,
];

/**
 * Words that are wrong only as a whole text, as all that stands between two marks, or where a name should stand at
 * their end: "undefined behaviour" is English, and studios promise to write "no lorem ipsum".
 */
const empty = [
  /(?:^| )(?:at|in|near|[Cc]all|[Dd]ear|[Hh]ello|[Hh]i|[Vv]isit) (undefined|NaN|null)$/,
  /^(undefined|NaN|null|TODO|FIXME)$/,
  /^(lorem ipsum)\b/i,
];
/** What stands in each of them. Most texts have none of it, and need no more than one look. */
const hint = /[{[$]|<%|undefined|NaN|null|TODO|FIXME|lorem/i;
const marks = /[|·•–—:;,!?()"“”]|\.(?:\s|$)| - /;

/** @returns the placeholders in a slot's text, in lower case; those that the page shows as code are none */
export function findPlaceholders({ slot, element }: Pick<SlotPlace, 'slot' | 'element'>): string[] {
  const text = plainText(withoutCode(slot.text, slot.parts));
  return [...ancestors(element)].some(isCode) ? [] : placeholdersIn(text);
}

/** The placeholders in a text, in lower case. */
export function placeholdersIn(text: string): string[] {
  if (!hint.test(text)) return [];
  const found = leftovers.flatMap((pattern) => [...text.matchAll(pattern)].map(([match]) => match));
  return [...found, ...text.split(marks).flatMap(emptyValue)].map((match) => match.toLowerCase());
}

const emptyValue = (piece: string): string[] => empty.flatMap((pattern) => pattern.exec(piece.trim())?.slice(1) ?? []);

const codeNames = new Set(['code', 'pre', 'kbd', 'samp', 'var']);
const isCode = ({ tagName }: Pick<Element, 'tagName'>) => codeNames.has(tagName);

function withoutCode(text: string, parts: string[]): string {
  const code = new Set(parts.flatMap((tagName, i) => (isCode({ tagName }) ? [i + 1] : [])));
  if (code.size === 0) return text;
  let inside = 0;
  return parsePieces(text)
    .map((piece) => {
      if (piece.kind === 'text') return inside > 0 ? '' : piece.text;
      if (code.has(piece.part)) inside += piece.kind === 'open' ? 1 : piece.kind === 'close' ? -1 : 0;
      return '';
    })
    .join('');
}
