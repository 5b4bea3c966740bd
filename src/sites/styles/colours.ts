import { TokenType, type CSSToken } from '@csstools/css-tokenizer';
import type { Range } from '../../text/range.ts';
import { readTokens } from './readTokens.ts';

/** A colour in a value, and its position. */
export interface Colour extends Range {
  /** Normalized for comparison: `#1a3f37` for `#1A3F37` and `rgb(26 63 55)`. */
  name: string;
}

const functions = new Set('rgb rgba hsl hsla hwb lab lch oklab oklch color'.split(' '));
const named = new Set(
  'black white red green blue yellow orange purple pink gray grey silver maroon navy teal olive lime aqua cyan magenta fuchsia brown gold beige ivory coral salmon crimson indigo violet tan khaki plum orchid turquoise tomato whitesmoke gainsboro lightgray lightgrey darkgray darkgrey dimgray slategray midnightblue rebeccapurple steelblue royalblue firebrick seagreen forestgreen'.split(
    ' ',
  ),
);

/** The colours in a value: hexadecimal colours, colour functions, and common names. */
export function coloursIn(value: string): Colour[] {
  const found: Colour[] = [];
  const { tokens } = readTokens(value);
  for (let i = 0; i < tokens.length; i++) {
    const [type, text, start, last] = tokens[i]!;
    const word = text.toLowerCase();
    if (type === TokenType.Function && functions.has(word.slice(0, -1))) {
      const close = endOf(tokens, i);
      const end = tokens[close]![3] + 1;
      found.push({ name: colourName(value.slice(start, end)), start, end });
      i = close;
    } else if (
      (type === TokenType.Hash && isHex(word)) ||
      (type === TokenType.Ident && named.has(word))
    )
      found.push({ name: colourName(text), start, end: last + 1 });
  }
  return found;
}

/** The index of the token that closes a function. */
function endOf(tokens: CSSToken[], at: number): number {
  let depth = 0;
  for (let i = at; i < tokens.length; i++) {
    const [type] = tokens[i]!;
    if (type === TokenType.Function || type === TokenType.OpenParen) depth++;
    if (type === TokenType.CloseParen && --depth === 0) return i;
  }
  return tokens.length - 1;
}

const isHex = (text: string) => /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(text);

/** Whether a text is one colour and nothing else. */
export function isColour(text: string): boolean {
  const [colour, ...more] = coloursIn(text);
  return colour?.start === 0 && colour.end === text.length && more.length === 0;
}

/** Normalizes a colour for comparison. */
export function colourName(text: string): string {
  const word = text.toLowerCase();
  if (isHex(word)) return longHex(word);
  const [, numbers] = /^rgba?\(([\d\s,]+)\)$/.exec(word) ?? [];
  const parts = numbers?.split(/[\s,]+/).filter(Boolean) ?? [];
  if (parts.length === 3 && parts.every((part) => Number(part) <= 255))
    return `#${parts.map((part) => Number(part).toString(16).padStart(2, '0')).join('')}`;
  return word
    .split(/\s+/)
    .join(' ')
    .replace(/\( | (?=[,)])/g, (match) => match.trim());
}

function longHex(hex: string): string {
  const long =
    hex.length > 5 ? hex : `#${[...hex.slice(1)].map((digit) => digit + digit).join('')}`;
  return long.length === 9 && long.endsWith('ff') ? long.slice(0, 7) : long;
}
