const PAIRS: Record<string, string> = {
  '"': '"',
  '“': '”',
  '„': '“”',
  '”': '”',
  "'": "'",
  '‘': '’',
  '‚': '‘’',
  '`': '`',
  '«': '»',
  '»': '«',
  '‹': '›',
};
/** The first character of Unicode's private use area. Its characters stand for quoted texts. */
const FIRST = 0xe000;
const MOST = 1_000;

/** The pattern of a quoted text in `QuotedPrompt.text`. */
export const QUOTE = '[\\uE000-\\uF8FF]';

/** A prompt in which each quoted text is one character. */
export interface QuotedPrompt {
  text: string;
  quotes: string[];
}

export const quoteAt = ({ quotes }: Pick<QuotedPrompt, 'quotes'>, char: string): string =>
  quotes[char.charCodeAt(0) - FIRST]!;

/** Puts the quoted texts back. */
export const unquoted = (text: string, prompt: Pick<QuotedPrompt, 'quotes'>): string =>
  text.replace(new RegExp(QUOTE, 'g'), (char) => `"${quoteAt(prompt, char)}"`);

/**
 * Takes the quoted texts out of a prompt. Text in quotes is data, never an instruction.
 * @returns null if a quote is never closed, or if the prompt has characters of the private use area
 */
export function takeQuotes(prompt: string): QuotedPrompt | null {
  const quotes: string[] = [];
  let text = '';
  for (let at = 0; at < prompt.length;) {
    if (!opensQuote(prompt, at)) {
      text += prompt[at++]!;
      continue;
    }
    const quote = readQuote(prompt, at);
    if (!quote || quotes.length === MOST) return null;
    text += ` ${String.fromCharCode(FIRST + quotes.length)} `;
    quotes.push(quote.text);
    at = quote.end;
  }
  return text.match(new RegExp(QUOTE, 'g'))?.length === (quotes.length || undefined)
    ? { text, quotes }
    : null;
}

const isWord = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}]/u.test(char);

/** Whether a quoted text begins here. An apostrophe begins none. */
function opensQuote(prompt: string, at: number): boolean {
  const char = prompt[at]!;
  const isApostrophe = char === "'" && (isWord(prompt[at - 1]) || !/\S/.test(prompt[at + 1] ?? ''));
  return char in PAIRS && !isApostrophe;
}

/** Reads the quoted text that begins here, as one line. `\"` inside quotes is a literal quote. */
function readQuote(prompt: string, open: number): { text: string; end: number } | null {
  const char = prompt[open]!;
  for (let at = open + 1; at < prompt.length; at++) {
    if (prompt[at] === '\\' && prompt[at + 1] === char) at++;
    else if (PAIRS[char]!.includes(prompt[at]!) && !isApostropheInside(prompt, at)) {
      const text = prompt.slice(open + 1, at).replaceAll(`\\${char}`, char);
      return { text: text.replace(/\s+/g, ' ').trim(), end: at + 1 };
    }
  }
  return null;
}

/** Whether a closing mark is an apostrophe, since it stands between letters: `'Don't stop'`. */
const isApostropheInside = (prompt: string, at: number) =>
  /['’]/.test(prompt[at]!) && isWord(prompt[at - 1]) && isWord(prompt[at + 1]);
