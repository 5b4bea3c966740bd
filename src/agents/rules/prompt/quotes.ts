/**
 * A prompt with its quoted texts taken out: in `text` each stands as one mark, so that nothing inside quotes is ever
 * read as an instruction.
 */
export interface Unquoted {
  text: string;
  quotes: string[];
}

const OPEN = '\uE000';
const CLOSE = '\uE001';
/** How a quoted text stands in `Unquoted.text`: as a regular expression with one group, the quote's index. */
export const QUOTE = `${OPEN}(\\d+)${CLOSE}`;

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

/**
 * Takes the quoted texts out of a prompt. Straight, curly, single and double quotes, backticks and guillemets count; an
 * apostrophe does not. `\"` inside quotes is a literal quote.
 * @returns null where a quote is opened and never closed
 */
export function takeQuotes(prompt: string): Unquoted | null {
  const quotes: string[] = [];
  let text = '';
  for (let at = 0; at < prompt.length;) {
    const open = prompt[at]!;
    if (!opensAt(prompt, at)) {
      text += open === OPEN || open === CLOSE ? '\uFFFD' : open;
      at += 1;
      continue;
    }
    const end = closeOf(prompt, at);
    if (end === -1) return null;
    text += OPEN + quotes.length + CLOSE;
    quotes.push(unescape(prompt.slice(at + 1, end), open));
    at = end + 1;
  }
  return { text, quotes };
}

const isWord = (char: string | undefined) => char !== undefined && /[\p{L}\p{N}]/u.test(char);

function opensAt(prompt: string, at: number): boolean {
  const char = prompt[at]!;
  if (!(char in PAIRS)) return false;
  const isApostrophe = char === "'" && (isWord(prompt[at - 1]) || !/\S/.test(prompt[at + 1] ?? ''));
  return !isApostrophe;
}

function closeOf(prompt: string, open: number): number {
  const char = prompt[open]!;
  for (let at = open + 1; at < prompt.length; at++) {
    if (prompt[at] === '\\' && prompt[at + 1] === char) at++;
    else if (PAIRS[char]!.includes(prompt[at]!) && !isApostropheInside(prompt, at)) return at;
  }
  return -1;
}

/** `'Don't stop'` and `‘Don’t stop’`: a closing mark between letters is an apostrophe. */
const isApostropheInside = (prompt: string, at: number) =>
  /['’]/.test(prompt[at]!) && isWord(prompt[at - 1]) && isWord(prompt[at + 1]);

const unescape = (text: string, quote: string) => text.replaceAll(`\\${quote}`, quote).replace(/\s+/g, ' ').trim();
