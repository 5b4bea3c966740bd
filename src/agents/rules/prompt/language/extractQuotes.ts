/** The first character of Unicode's private use area. Its characters stand for quoted texts. */
const FIRST_PLACEHOLDER = 0xe000;
const MAX_QUOTES = 1_000;

/** The pattern of a quoted text in `QuotedPrompt.text`. */
export const QUOTE_PATTERN = '[\\uE000-\\uF8FF]';

const BEHIND_WORD = '(?<=[\\p{L}\\p{N}])';
/**
 * Quoted texts: straight or curly, single or double quotes, backticks or guillemets. A text that is
 * never closed goes to the end of the prompt. An apostrophe stands behind a letter.
 */
const QUOTED_TEXT = [
  '"(?:\\\\"|[^"])*"?',
  '[“”][^”]*”?',
  '„[^“”]*[“”]?',
  '`[^`]*`?',
  '«[^»]*»?',
  '»[^«]*«?',
  '‹[^›]*›?',
  `(?<![\\p{L}\\p{N}])'(?=\\S)(?:[^']|${BEHIND_WORD}'(?=[\\p{L}\\p{N}]))*'?`,
  `[‘‚](?:[^‘’]|${BEHIND_WORD}’(?=[\\p{L}\\p{N}]))*[‘’]?`,
].join('|');
const CLOSED_QUOTE = /.["“”`«»›'‘’]$/;

/**
 * A prompt in which each quoted text is replaced by a placeholder, which is one character:
 * `Change "a" to "b"` becomes the text `Change \uE000 to \uE001` with the quotes `['a', 'b']`.
 */
export interface QuotedPrompt {
  text: string;
  quotes: string[];
}

/** The quoted text that a placeholder stands for. */
export const findQuotedText = (
  { quotes }: Pick<QuotedPrompt, 'quotes'>,
  placeholder: string,
): string => quotes[placeholder.charCodeAt(0) - FIRST_PLACEHOLDER]!;

/** Puts the quoted texts back in place of their placeholders, for a message. */
export const restoreQuotes = (text: string, prompt: Pick<QuotedPrompt, 'quotes'>): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(
      new RegExp(QUOTE_PATTERN, 'g'),
      (placeholder) => `"${findQuotedText(prompt, placeholder)}"`,
    )
    .trim();

/**
 * Takes the quoted texts out of a prompt, so that the rules never read them as instructions.
 * @returns null if a quote is never closed, there are too many, or the prompt has placeholders
 */
export function extractQuotes(prompt: string): QuotedPrompt | null {
  if (new RegExp(QUOTE_PATTERN).test(prompt)) return null;
  const quotes: string[] = [];
  let hasOpenQuote = false;
  const text = prompt.replace(new RegExp(QUOTED_TEXT, 'gu'), (quotedText) => {
    hasOpenQuote ||= !CLOSED_QUOTE.test(quotedText);
    const innerText = quotedText.slice(1, -1).replaceAll(`\\${quotedText[0]}`, quotedText[0]!);
    quotes.push(innerText.replace(/\s+/g, ' ').trim());
    return ` ${String.fromCharCode(FIRST_PLACEHOLDER + quotes.length - 1)} `;
  });
  return hasOpenQuote || quotes.length > MAX_QUOTES ? null : { text, quotes };
}
