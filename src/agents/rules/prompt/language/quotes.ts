/** The first character of Unicode's private use area. Its characters stand for quoted texts. */
const FIRST = 0xe000;
const MOST = 1_000;

/** The pattern of a quoted text in `QuotedPrompt.text`. */
export const QUOTE = '[\\uE000-\\uF8FF]';

/** Quoted texts: straight or curly, single or double quotes, backticks or guillemets. */
const QUOTED = [
  '"(?:\\\\"|[^"])*"',
  '[“”][^”]*”',
  '„[^“”]*[“”]',
  '`[^`]*`',
  '«[^»]*»|»[^«]*«',
  '‹[^›]*›',
  // an apostrophe stands between letters, or behind them
  "(?<![\\p{L}\\p{N}])'(?=\\S)(?:[^']|(?<=[\\p{L}\\p{N}])'(?=[\\p{L}\\p{N}]))*'",
  '[‘‚](?:[^‘’]|(?<=[\\p{L}\\p{N}])’(?=[\\p{L}\\p{N}]))*[‘’]',
].join('|');

/** A prompt in which each quoted text is one character. */
export interface QuotedPrompt {
  text: string;
  quotes: string[];
}

export const quoteAt = ({ quotes }: Pick<QuotedPrompt, 'quotes'>, char: string): string =>
  quotes[char.charCodeAt(0) - FIRST]!;

/** Puts the quoted texts back. */
export const unquoted = (text: string, prompt: Pick<QuotedPrompt, 'quotes'>): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(new RegExp(QUOTE, 'g'), (char) => `"${quoteAt(prompt, char)}"`)
    .trim();

/**
 * Takes the quoted texts out of a prompt. Text in quotes is data, never an instruction.
 * @returns null if a quote is never closed, or if the prompt has characters of the private use area
 */
export function takeQuotes(prompt: string): QuotedPrompt | null {
  if (new RegExp(QUOTE).test(prompt)) return null;
  const quotes: string[] = [];
  const text = prompt.replace(new RegExp(QUOTED, 'gu'), (whole) => {
    const inside = whole.slice(1, -1).replaceAll(`\\${whole[0]}`, whole[0]!);
    quotes.push(inside.replace(/\s+/g, ' ').trim());
    return ` ${String.fromCharCode(FIRST + quotes.length - 1)} `;
  });
  const isOpen = /["“„`«»‹]|(?:^|\s)['‘‚]\S/.test(text);
  return isOpen || quotes.length > MOST ? null : { text, quotes };
}
