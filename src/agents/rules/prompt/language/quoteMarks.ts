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
 * Whether a quoted text begins at a place: with straight or curly, single or double quotes,
 * backticks or guillemets, but not with an apostrophe.
 */
export function openQuote(prompt: string, at: number): boolean {
  const char = prompt[at]!;
  if (!(char in PAIRS)) return false;
  const isApostrophe = char === "'" && (isWord(prompt[at - 1]) || !/\S/.test(prompt[at + 1] ?? ''));
  return !isApostrophe;
}

/**
 * The quoted text that begins at a place, as one line, and where it ends. `\"` inside quotes is a
 * literal quote.
 * @returns null where it is never closed
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

/** `'Don't stop'` and `‘Don’t stop’`: a closing mark between letters is an apostrophe. */
const isApostropheInside = (prompt: string, at: number) =>
  /['’]/.test(prompt[at]!) && isWord(prompt[at - 1]) && isWord(prompt[at + 1]);

const unescape = (text: string, quote: string) =>
  text.replaceAll(`\\${quote}`, quote).replace(/\s+/g, ' ').trim();
