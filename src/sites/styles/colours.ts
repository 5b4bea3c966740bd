import { TokenType, type CSSToken } from '@csstools/css-tokenizer';
import type { Range } from '../../text/range.ts';
import { readTokens } from './readTokens.ts';

/** A colour in a value, and its position. */
export interface Colour extends Range {
  /** Normalized for comparison: `#1a3f37` for `#1A3F37` and `rgb(26 63 55)`. */
  name: string;
}

const functions = new Set('rgb rgba hsl hsla hwb lab lch oklab oklch color'.split(' '));
const named = new Map(
  'black:000000 white:ffffff red:ff0000 green:008000 blue:0000ff yellow:ffff00 orange:ffa500 purple:800080 pink:ffc0cb gray:808080 grey:808080 silver:c0c0c0 maroon:800000 navy:000080 teal:008080 olive:808000 lime:00ff00 aqua:00ffff cyan:00ffff magenta:ff00ff fuchsia:ff00ff brown:a52a2a gold:ffd700 beige:f5f5dc ivory:fffff0 coral:ff7f50 salmon:fa8072 crimson:dc143c indigo:4b0082 violet:ee82ee tan:d2b48c khaki:f0e68c plum:dda0dd orchid:da70d6 turquoise:40e0d0 tomato:ff6347 whitesmoke:f5f5f5 gainsboro:dcdcdc lightgray:d3d3d3 lightgrey:d3d3d3 darkgray:a9a9a9 darkgrey:a9a9a9 dimgray:696969 slategray:708090 midnightblue:191970 rebeccapurple:663399 steelblue:4682b4 firebrick:b22222 seagreen:2e8b57 forestgreen:228b22'
    .split(' ')
    .map((pair) => [pair.slice(0, -7), `#${pair.slice(-6)}`] as const),
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

/** Normalizes a colour for comparison: `#1a3f37` also for a name, `rgb()` and `hsl()`. */
export function colourName(text: string): string {
  const word = text.toLowerCase();
  if (isHex(word)) return longHex(word);
  const plain = word
    .split(/\s+/)
    .join(' ')
    .replace(/\( | (?=[,)])/g, (match) => match.trim());
  return named.get(word) ?? opaque(word) ?? plain;
}

/** An opaque colour in `rgb()` or `hsl()` as `#1a3f37`; undefined for another notation. */
function opaque(word: string): string | undefined {
  const [, kind, inside = ''] = /^(rgb|hsl)a?\(([^()]*)\)$/.exec(word) ?? [];
  const [x = '', y = '', z = '', alpha = '1', ...more] = inside.split(/[\s,/]+/).filter(Boolean);
  if (more.length > 0 || !['1', '1.0', '100%'].includes(alpha)) return undefined;
  const values =
    kind === 'hsl' ? fromHsl([x.replace(/deg$/, ''), y, z].map(parseFloat)) : [x, y, z].map(Number);
  if (z === '' || !values.every((value) => value >= 0 && value <= 255)) return undefined;
  return `#${values.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
}

/** Red, green and blue of hue, saturation and lightness (CSS Color 4, "hslToRgb"). */
function fromHsl([hue, saturation, lightness]: number[]): number[] {
  const [s, l] = [saturation! / 100, lightness! / 100];
  return [0, 8, 4].map((n) => {
    const k = (n + hue! / 30) % 12;
    return 255 * (l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  });
}

/** A colour in any file: also in a picture's attribute, and with `#` as `%23` in an address. */
const inText =
  /(?<![&\w])(?:#|%23)[0-9a-f]{3,8}(?![\w-])|(?<!\w)(?:rgb|hsl)a?\([^()]{1,80}\)|(?<=[:="'])\s{0,9}[a-z]{3,20}(?=\s{0,9}[;"'}!])/gi;

/**
 * Whether a file has a colour, in any notation.
 * @param colour as `colourName` writes it
 */
export const hasColour = (source: string, colour: string): boolean =>
  source.matchAll(inText).some(([text]) => colourName(text.trim().replace('%23', '#')) === colour);

function longHex(hex: string): string {
  const long =
    hex.length > 5 ? hex : `#${[...hex.slice(1)].map((digit) => digit + digit).join('')}`;
  return long.length === 9 && long.endsWith('ff') ? long.slice(0, 7) : long;
}
