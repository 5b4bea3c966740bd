/** The first character of Unicode's private use area. Its characters stand for quoted texts. */
const FIRST = 0xe000;
const MOST = 1_000;

/** The pattern of a quoted text in `QuotedPrompt.text`. */
export const QUOTE = '[\\uE000-\\uF8FF]';

const INSIDE = '(?<=[\\p{L}\\p{N}])';
/**
 * Quoted texts: straight or curly, single or double quotes, backticks or guillemets. A text that is
 * never closed goes to the end of the prompt. An apostrophe stands behind a letter.
 */
const QUOTED = [
  '"(?:\\\\"|[^"])*"?',
  '[“”][^”]*”?',
  '„[^“”]*[“”]?',
  '`[^`]*`?',
  '«[^»]*»?',
  '»[^«]*«?',
  '‹[^›]*›?',
  `(?<![\\p{L}\\p{N}])'(?=\\S)(?:[^']|${INSIDE}'(?=[\\p{L}\\p{N}]))*'?`,
  `[‘‚](?:[^‘’]|${INSIDE}’(?=[\\p{L}\\p{N}]))*[‘’]?`,
].join('|');
const CLOSED = /.["“”`«»›'‘’]$/;

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
  let isOpen = false;
  const text = prompt.replace(new RegExp(QUOTED, 'gu'), (whole) => {
    isOpen ||= !CLOSED.test(whole);
    const inside = whole.slice(1, -1).replaceAll(`\\${whole[0]}`, whole[0]!);
    quotes.push(inside.replace(/\s+/g, ' ').trim());
    return ` ${String.fromCharCode(FIRST + quotes.length - 1)} `;
  });
  return isOpen || quotes.length > MOST ? null : { text, quotes };
}
