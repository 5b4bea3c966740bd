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

const isWord = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}]/u.test(char);

/**
 * Whether a quoted text begins here. Its marks may be straight or curly, single or double quotes,
 * backticks or guillemets. An apostrophe begins none.
 */
export function openQuote(prompt: string, at: number): boolean {
  const char = prompt[at]!;
  if (!(char in PAIRS)) return false;
  const isApostrophe = char === "'" && (isWord(prompt[at - 1]) || !/\S/.test(prompt[at + 1] ?? ''));
  return !isApostrophe;
}

/**
 * Reads the quoted text that begins here, as one line, and where it ends. `\"` inside quotes is a
 * literal quote.
 * @returns null if the quote is never closed
 */
export function readQuote(prompt: string, open: number): { text: string; end: number } | null {
  const char = prompt[open]!;
  for (let at = open + 1; at < prompt.length; at++) {
    if (prompt[at] === '\\' && prompt[at + 1] === char) at++;
    else if (PAIRS[char]!.includes(prompt[at]!) && !isApostropheInside(prompt, at))
      return { text: unescape(prompt.slice(open + 1, at), char), end: at + 1 };
  }
  return null;
}

/**
 * Whether a closing mark is an apostrophe, since it stands between letters: `'Don't stop'` and
 * `‘Don’t stop’`.
 */
const isApostropheInside = (prompt: string, at: number) =>
  /['’]/.test(prompt[at]!) && isWord(prompt[at - 1]) && isWord(prompt[at + 1]);

const unescape = (text: string, quote: string) =>
  text.replaceAll(`\\${quote}`, quote).replace(/\s+/g, ' ').trim();
