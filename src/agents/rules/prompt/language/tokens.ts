import { wordSet } from '../../../../text/wordLists.ts';
import { openQuote, readQuote } from './quoteMarks.ts';
import { isKnown } from './synonyms.ts';

/** Kinds of tokens. A `name` is one of the site's texts, written without quotes. */
export type TokenKind = 'quote' | 'name' | 'slug' | 'address' | 'word' | 'mark' | 'line';

export interface Token {
  kind: TokenKind;
  /** The word in lower case, or the mark. '' for tokens that are not part of the language. */
  word: string;
  /** The text in quotes, the slug, or the word as it is written. */
  text: string;
  /** Its span in the prompt: [start, end) in UTF-16 units. */
  start: number;
  end: number;
  /**
   * Words of thanks and marks that were cut off behind the token. They may belong to a text without
   * quotes.
   */
  cut?: string;
  /** Whether a full stop behind the token ends the sentence. */
  stop?: true;
  /** Whether the token ends a question that is no polite request. */
  asks?: true;
}

const SPACE = /\s/;
/** Characters that end a word. */
const BREAKS = new Set([';', '\n', '\r']);
const END_MARKS = '.,:!?=)';
const ADDRESS = /^(?:#.|[a-z][a-z0-9+.-]*:(?!\/?$).)/i;

/**
 * Splits a prompt into tokens in one pass. A quoted text is one token, whatever it contains.
 * @returns null if a quote is never closed
 */
export function tokensOf(prompt: string): Token[] | null {
  const tokens: Token[] = [];
  for (let at = 0; at < prompt.length;) {
    const char = prompt[at]!;
    if (openQuote(prompt, at)) {
      const quote = readQuote(prompt, at);
      if (!quote) return null;
      tokens.push({ kind: 'quote', word: '', text: quote.text, start: at, end: quote.end });
      at = quote.end;
    } else if (char === '\n' || char === '\r') tokens.push(mark('line', prompt, at++));
    else if (SPACE.test(char)) at++;
    else if (char === ';' || char === ',') tokens.push(mark('mark', prompt, at++));
    else at = pushWord(tokens, prompt, at);
  }
  return tokens;
}

const mark = (kind: TokenKind, prompt: string, at: number): Token => ({
  kind,
  word: prompt[at]!,
  text: prompt[at]!,
  start: at,
  end: at + 1,
});

/**
 * Adds the token for a run of characters without white space: a slug, an address, or a word with
 * the marks behind it.
 */
function pushWord(tokens: Token[], prompt: string, start: number): number {
  const run = prompt.slice(start, endOfRun(prompt, start));
  let length = run.length;
  const marks = run.includes('(') ? '.,:!?=' : END_MARKS;
  while (length > 1 && marks.includes(run[length - 1]!)) length--;
  const word = run.slice(0, length);
  const end = start + word.length;
  const short = /^(.+)(['’](?:s|re|ve|ll))$/su.exec(word);
  const closing = run[length] === ')' && closesBracket(tokens) ? ')' : '';
  if (!short) tokens.push(closed(wordToken(word, start), closing));
  else tokens.push(wordToken(short[1]!, start), ending(short[1]!, short[2]!, end));
  for (let at = end; at < start + run.length; at++)
    if (prompt[at] !== ')') tokens.push(mark('mark', prompt, at));
  return start + run.length;
}

const SHORT: Record<string, string> = { re: 'are', ve: 'have', ll: 'will' };
const NOBODYS = wordSet('it there that here this what who he she');

/**
 * The token for an ending with an apostrophe: `'s` in `Starter's`, or a short form as in `we're`,
 * `there's`.
 */
function ending(own: string, text: string, end: number): Token {
  const start = end - text.length;
  const word = SHORT[text.slice(1)] ?? (NOBODYS.has(own.toLowerCase()) ? 'is' : undefined);
  return word === undefined
    ? { kind: 'mark', word: "'s", text: "'s", start, end }
    : { kind: 'word', word, text, start, end };
}

const FAR = 12;
/** Whether a bracket that was opened a few words before is still open. */
function closesBracket(tokens: Token[]): boolean {
  const last = tokens.slice(-FAR).findLast(({ text }) => /^\(|\)$/.test(text));
  return last !== undefined && !last.text.endsWith(')');
}

/** Adds a closing bracket to a token's text, but not to its `word`. */
const closed = (token: Token, closing: string): Token =>
  token.kind === 'word'
    ? { ...token, text: token.text + closing, end: token.end + closing.length }
    : token;

function endOfRun(prompt: string, start: number): number {
  const isAddress = ADDRESS.test(prompt.slice(start, start + 80));
  for (let at = start; at < prompt.length; at++) {
    const char = prompt[at]!;
    if (SPACE.test(char) || BREAKS.has(char) || (at > start && openQuote(prompt, at))) return at;
    const isInside = isAddress
      ? /[^\s,]/.test(prompt[at + 1] ?? '')
      : /\d,\d/.test(prompt.slice(at - 1, at + 2));
    if (char === ',' && !isInside) return at;
  }
  return prompt.length;
}

function wordToken(text: string, start: number): Token {
  const kind = text.startsWith('/')
    ? 'slug'
    : ADDRESS.test(text)
      ? 'address'
      : /^[=:,.!?–—-]$/.test(text)
        ? 'mark'
        : 'word';
  const word =
    kind === 'word' ? text.toLowerCase().replace(/’/g, "'") : kind === 'mark' ? text : '';
  return { kind, word, text, start, end: start + text.length };
}

/** Most tokens of a name without quotes. */
const LONGEST_NAME = 12;

/**
 * Joins tokens that form one of the site's names, in the same letter case, into one token. The
 * longest name wins. A single word must not belong to the language, and must not begin a line.
 */
export function withNames(tokens: Token[], names: ReadonlySet<string>): Token[] {
  const found: Token[] = [];
  for (let at = 0; at < tokens.length;) {
    const length = nameAt(tokens, at, names);
    const first = tokens[at]!;
    const next = at + Math.max(1, length);
    found.push(
      length === 0
        ? first
        : {
            kind: 'name',
            word: length === 1 ? first.word : '',
            text: textOf(tokens, at, next),
            start: first.start,
            end: tokens[next - 1]!.end,
          },
    );
    at = next;
  }
  return found;
}

/** The number of tokens of a site's name that begins here. 0 for none. */
function nameAt(tokens: Token[], at: number, names: ReadonlySet<string>): number {
  const before = tokens[at - 1];
  if (tokens[at]!.kind !== 'word' || !before || before.kind === 'line') return 0;
  let [length, longest] = [0, 0];
  while (length < LONGEST_NAME && isPartOfName(tokens[at + length])) {
    length++;
    if (names.has(textOf(tokens, at, at + length)) && (length > 1 || !isKnown(tokens[at]!.word)))
      longest = length;
  }
  return longest;
}

const isPartOfName = (token: Token | undefined) =>
  token !== undefined && token.kind !== 'line' && token.kind !== 'quote';

/** The word at an index. '' if there is none. */
export const wordAt = (tokens: Token[], at: number): string => tokens[at]?.word ?? '';
/** The text at an index. '' if there is none. */
export const textAt = (tokens: Token[], at: number): string => tokens[at]?.text ?? '';

/** Whether a token is a text in quotes, or one of the site's names. */
export const isText = (token: Token | undefined): boolean =>
  token?.kind === 'quote' || token?.kind === 'name';

/** The text of some tokens, with single spaces where the prompt has white space. */
export const textOf = (tokens: Token[], from = 0, to = tokens.length): string =>
  tokens
    .slice(from, to)
    .map(({ kind, text, start }, i) => {
      const isApart = i > 0 && start > tokens[from + i - 1]!.end;
      return (isApart ? ' ' : '') + (kind === 'quote' ? `"${text}"` : text);
    })
    .join('');
