/** A text of at most so many characters: the end of a longer one is left out, which is shown. */
export const cut = (text: string, longest: number) =>
  text.length > longest ? `${text.slice(0, longest - 1).toWellFormed()}…` : text;

const LONGEST_QUOTE = 90;

/** A page's text in a message: in quotes, cut, without what is invisible. */
export const quoted = (text: string) =>
  `"${cut(text.replace(/\s+/gu, ' ').replace(/[\p{Cc}\p{Cf}]/gu, ''), LONGEST_QUOTE)}"`;
