import { TokenType, type CSSToken } from '@csstools/css-tokenizer';
import type { Range } from '../../text/range.ts';
import { readTokens } from './readTokens.ts';

/** An address in style rules, as browsers read it: without escapes. */
export interface CssAddress extends Range {
  url: string;
  /** `text` is any other string. A custom property may hold an address for `image-set()`. */
  kind: 'file' | 'style sheet' | 'text';
}

const takesAddress = /^(url|src|image|image-set|-webkit-image-set)$/i;
const between = new Set<string>([TokenType.Whitespace, TokenType.Comment]);

/**
 * All addresses in style rules (CSS Syntax 3): `url()`, `@import`, and strings. The name of a
 * namespace is none.
 * @param css a style sheet, or the value of a `style` attribute or of one property
 */
export function cssAddresses(css: string): CssAddress[] {
  if (!/["'(]/.test(css)) return [];
  const found: CssAddress[] = [];
  const open: string[] = [];
  let rule = '';
  for (const token of readTokens(css).tokens) {
    const [type, , start, last] = token;
    const url = valueOf(token);
    const kind = rule === 'import' ? 'style sheet' : kindOf(type, open.at(-1));
    if (url !== undefined && rule !== 'namespace' && kind)
      found.push({ url, start, end: last + 1, kind });
    rule = ruleAfter(token, rule);
    nest(open, token);
  }
  return found;
}

/** The addresses of files and style sheets. */
export const fileAddresses = (css: string): string[] =>
  cssAddresses(css)
    .filter(({ kind }) => kind !== 'text')
    .map(({ url }) => url);

/** Whether an address can only lead to a file of the same site. */
export const isOfSite = (url: string): boolean =>
  !/^\s*(?:[a-z][a-z0-9+.-]*:|[/\\]{2})|[\\\0-\x1f]/i.test(url);

/** Updates the list of functions and brackets that are open at a token. */
function nest(open: string[], token: CSSToken): void {
  const isInSelector = open.at(-1) === '[';
  if (token[0] === TokenType.Function) open.push(token[4].value);
  else if (token[0] === TokenType.OpenParen || token[0] === TokenType.OpenSquare)
    open.push(token[1]);
  else if (token[0] === (isInSelector ? TokenType.CloseSquare : TokenType.CloseParen)) open.pop();
}

const valueOf = (token: CSSToken) =>
  token[0] === TokenType.URL || token[0] === TokenType.String ? token[4].value : undefined;

/**
 * The kind of a token's address; undefined for the value in an attribute selector
 * (`[type="text"]`).
 */
function kindOf(type: TokenType, around = ''): CssAddress['kind'] | undefined {
  if (type === TokenType.URL || takesAddress.test(around)) return 'file';
  return around === '[' ? undefined : 'text';
}

/** The at-rule whose address may come next, '' for none. */
function ruleAfter(token: CSSToken, rule: string): string {
  if (token[0] === TokenType.AtKeyword) return token[4].value.toLowerCase();
  if (
    between.has(token[0]) ||
    (token[0] === TokenType.Function && takesAddress.test(token[4].value))
  )
    return rule;
  return token[0] === TokenType.Ident && rule === 'namespace' ? rule : '';
}

/** Replaces the addresses of files and style sheets. All other characters stay. */
export function mapCss(css: string, map: (url: string) => string): string {
  let result = '';
  let position = 0;
  for (const { url, start, end, kind } of cssAddresses(css)) {
    const moved = kind === 'text' ? url : map(url);
    if (moved === url) continue;
    result += css.slice(position, start) + written(css.slice(start, end), moved);
    position = end;
  }
  return result + css.slice(position);
}

/** Writes `url` in the form of the old string or `url()`. */
function written(old: string, url: string): string {
  const quote = /^["']/.exec(old)?.[0];
  if (quote) return quote + escaped(url) + quote;
  const [head = ''] = /^[^(]*\([ \t\n\f\r]*/.exec(old) ?? [];
  let end = old.endsWith(')') ? old.length - 1 : old.length;
  while (' \t\n\f\r'.includes(old[end - 1] ?? 'x')) end--;
  return `${head + escaped(url) + old.slice(end).replace(')', '')})`;
}

/** Escapes characters that could end the string, the `url()`, or the `style` element. */
const escaped = (url: string) =>
  url.replace(/[\0-\x20"'()\\<\x7f]/g, (char) => `\\${char.charCodeAt(0).toString(16)} `);
