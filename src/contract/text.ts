const SUMMARY_LENGTH = 100;

/** Cuts a line for the Temporal UI to the length that the server accepts. */
export const cutSummary = (text: string) =>
  text.length > SUMMARY_LENGTH ? `${text.slice(0, SUMMARY_LENGTH - 1)}…` : text;

/** A text without these characters at its end. A pattern would be tried from each place of a long row of them. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/**
 * Whether a text has more characters than that, an emoji of several UTF-16 units counting as one (JSON Schema's
 * `maxLength`). Texts of any length are answered at once.
 */
export function isLonger(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  return text.length > 2 * characters || [...text].length > characters;
}
