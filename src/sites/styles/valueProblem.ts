import { TokenType, type CSSToken } from '@csstools/css-tokenizer';
import { findFileUrls, isSiteUrl } from './cssAddresses.ts';
import { readTokens } from './readTokens.ts';

const MAX_VALUE_LENGTH = 2_000;

/** Functions that load a file, run code, or draw what a script draws. */
const loadingFunctions = new Set(
  'src image image-set -webkit-image-set cross-fade -webkit-cross-fade element -moz-element -webkit-canvas paint expression format local'.split(
    ' ',
  ),
);
/** Properties with which old browsers run code. */
const codeProperties = new Set(['behavior', '-ms-behavior', '-moz-binding']);

/**
 * Tokens that would close the declaration or open a block or rule, and errors that browsers
 * correct.
 */
const forbiddenTokens: Partial<Record<TokenType, string>> = {
  [TokenType.BadString]: 'an unterminated string',
  [TokenType.BadURL]: 'url()',
  [TokenType.AtKeyword]: 'an at-rule',
  [TokenType.CDO]: '"<!--"',
  [TokenType.CDC]: '"-->"',
  [TokenType.OpenCurly]: '"{"',
  [TokenType.CloseCurly]: '"}"',
  [TokenType.Semicolon]: '";"',
};

/**
 * Finds what is forbidden in the value of a declaration, in words: `red; x: y` → `";"`. undefined
 * if the value is allowed. URLs, escapes and comments of the old value may stay.
 */
export function findValueProblem(
  property: string,
  value: string,
  oldValue = '',
): string | undefined {
  if (value.length > MAX_VALUE_LENGTH && value.length > oldValue.length)
    return `more than ${MAX_VALUE_LENGTH} characters`;
  if (value.trim() === '') return 'only white space';
  if (/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/.test(value))
    return 'invisible characters';
  if (codeProperties.has(property.toLowerCase())) return `the property ${property}`;
  const { tokens, fault } = readTokens(value);
  if (fault !== undefined) return 'an unterminated string, comment or escape';
  const oldTexts = new Set(readTokens(oldValue).tokens.map(([, text]) => text));
  for (const token of tokens) {
    const problem = tokenProblem(property, token, oldTexts);
    if (problem !== undefined) return problem;
  }
  return bracketProblem(tokens) ?? importanceProblem(tokens) ?? addressProblem(value, oldValue);
}

function tokenProblem(
  property: string,
  token: CSSToken,
  oldTexts: Set<string>,
): string | undefined {
  const [type, text] = token;
  if (type === TokenType.EOF) return undefined;
  const forbidden = forbiddenTokens[type];
  if (forbidden) return forbidden;
  if (oldTexts.has(text)) return undefined;
  if (text.includes('\\')) return 'a backslash';
  if (type === TokenType.Comment) return 'a comment';
  if (type === TokenType.URL && !isSiteUrl(token[4].value)) return 'a url() of another site';
  if (type === TokenType.Function && loadingFunctions.has(token[4].value.toLowerCase()))
    return `${token[4].value}()`;
  if (type === TokenType.Ident && token[4].value.toLowerCase() === 'progid') return 'progid';
  if (type === TokenType.String && isAddress(property, token[4].value)) return 'a URL in a string';
  return undefined;
}

/**
 * Whether a string may be a URL. Another rule may put a custom property's string into
 * `image-set()`.
 */
const isAddress = (property: string, text: string) =>
  /\/\/|^\s*[a-z][a-z0-9+.-]*:/i.test(text) ||
  (property.startsWith('--') && /[/:]|\.[a-z]{2,5}$/i.test(text));

const closingTokens: Partial<Record<TokenType, TokenType>> = {
  [TokenType.Function]: TokenType.CloseParen,
  [TokenType.OpenParen]: TokenType.CloseParen,
  [TokenType.OpenSquare]: TokenType.CloseSquare,
};

function bracketProblem(tokens: CSSToken[]): string | undefined {
  const openBrackets: TokenType[] = [];
  for (const [type] of tokens) {
    const closingToken = closingTokens[type];
    if (closingToken) openBrackets.push(closingToken);
    else if (
      (type === TokenType.CloseParen || type === TokenType.CloseSquare) &&
      openBrackets.pop() !== type
    )
      return 'an unmatched closing bracket';
  }
  return openBrackets.length > 0 ? 'an unclosed bracket' : undefined;
}

/** Allows `!` only in an `!important` at the end. */
function importanceProblem(tokens: CSSToken[]): string | undefined {
  const words = tokens.filter(([type]) => type !== TokenType.Whitespace && type !== TokenType.EOF);
  const index = words.findIndex(([type, text]) => type === TokenType.Delim && text === '!');
  const isEnd =
    index === words.length - 2 && index > 0 && words.at(-1)![1].toLowerCase() === 'important';
  return index === -1 || isEnd ? undefined : '"!" other than in !important at the end';
}

function addressProblem(value: string, oldValue: string): string | undefined {
  // scripts may read a URL from a custom property; other values never need `//`
  if (value.includes('//') && !oldValue.includes('//')) return 'a URL';
  const oldUrls = new Set(findFileUrls(oldValue));
  return findFileUrls(value).every((url) => oldUrls.has(url) || isSiteUrl(url))
    ? undefined
    : 'a URL of another site';
}
