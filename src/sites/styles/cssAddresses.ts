import { TokenType, type CSSToken } from '@csstools/css-tokenizer';
import type { TextRange } from '../../text/textRange.ts';
import { readTokens } from './readTokens.ts';

/** A URL in style rules, as browsers read it: without escapes. */
export interface CssUrl extends TextRange {
  url: string;
  /** `text` is any other string. In a custom property, it may be a URL for `image-set()`. */
  kind: 'file' | 'style sheet' | 'text';
}

const urlFunctions = /^(url|src|image|image-set|-webkit-image-set)$/i;
const spaceTokens = new Set<string>([TokenType.Whitespace, TokenType.Comment]);

/**
 * Finds all URLs in style rules (CSS Syntax 3): in `url()`, `@import`, and strings. Ignores the
 * names of namespaces.
 * @param css a style sheet, or the value of a `style` attribute or of one property
 */
export function findCssUrls(css: string): CssUrl[] {
  if (!/["'(]/.test(css)) return [];
  const cssUrls: CssUrl[] = [];
  const openBrackets: string[] = [];
  let rule = '';
  for (const token of readTokens(css).tokens) {
    const [type, , start, lastIndex] = token;
    const url = urlOfToken(token);
    const kind = rule === 'import' ? 'style sheet' : urlKind(type, openBrackets.at(-1));
    if (url !== undefined && rule !== 'namespace' && kind)
      cssUrls.push({ url, start, end: lastIndex + 1, kind });
    rule = nextAtRule(token, rule);
    updateNesting(openBrackets, token);
  }
  return cssUrls;
}

/** The URLs of files and style sheets, without other strings. */
export const findFileUrls = (css: string): string[] =>
  findCssUrls(css)
    .filter(({ kind }) => kind !== 'text')
    .map(({ url }) => url);

/** Whether a URL can only lead to a file of the same site. */
export const isSiteUrl = (url: string): boolean =>
  !/^\s*(?:[a-z][a-z0-9+.-]*:|[/\\]{2})|[\\\0-\x1f]/i.test(url);

/** Updates the list of functions and brackets that are open at a token. */
function updateNesting(openBrackets: string[], token: CSSToken): void {
  const isInSelector = openBrackets.at(-1) === '[';
  if (token[0] === TokenType.Function) openBrackets.push(token[4].value);
  else if (token[0] === TokenType.OpenParen || token[0] === TokenType.OpenSquare)
    openBrackets.push(token[1]);
  else if (token[0] === (isInSelector ? TokenType.CloseSquare : TokenType.CloseParen))
    openBrackets.pop();
}

const urlOfToken = (token: CSSToken) =>
  token[0] === TokenType.URL || token[0] === TokenType.String ? token[4].value : undefined;

/**
 * The kind of a token's URL; undefined for the value in an attribute selector
 * (`[type="text"]`).
 */
function urlKind(type: TokenType, functionName = ''): CssUrl['kind'] | undefined {
  if (type === TokenType.URL || urlFunctions.test(functionName)) return 'file';
  return functionName === '[' ? undefined : 'text';
}

/** The at-rule whose URL may come next, '' for none. */
function nextAtRule(token: CSSToken, rule: string): string {
  if (token[0] === TokenType.AtKeyword) return token[4].value.toLowerCase();
  if (
    spaceTokens.has(token[0]) ||
    (token[0] === TokenType.Function && urlFunctions.test(token[4].value))
  )
    return rule;
  return token[0] === TokenType.Ident && rule === 'namespace' ? rule : '';
}

/** Replaces the URLs of files and style sheets. All other characters stay. */
export function mapCssUrls(css: string, map: (url: string) => string): string {
  let result = '';
  let position = 0;
  for (const { url, start, end, kind } of findCssUrls(css)) {
    const newUrl = kind === 'text' ? url : map(url);
    if (newUrl === url) continue;
    result += css.slice(position, start) + rewriteUrl(css.slice(start, end), newUrl);
    position = end;
  }
  return result + css.slice(position);
}

/** Writes `url` in the form of the old string or `url()`. */
function rewriteUrl(oldText: string, url: string): string {
  const quote = /^["']/.exec(oldText)?.[0];
  if (quote) return quote + escapeCssUrl(url) + quote;
  const [head = ''] = /^[^(]*\([ \t\n\f\r]*/.exec(oldText) ?? [];
  let end = oldText.endsWith(')') ? oldText.length - 1 : oldText.length;
  while (' \t\n\f\r'.includes(oldText[end - 1] ?? 'x')) end--;
  return `${head + escapeCssUrl(url) + oldText.slice(end).replace(')', '')})`;
}

/** Escapes characters that could end the string, the `url()`, or the `style` element. */
const escapeCssUrl = (url: string) =>
  url.replace(/[\0-\x20"'()\\<\x7f]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `);
