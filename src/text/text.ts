/**
 * Whether there is anything to read in a text: a letter or a number. Bullets, arrows and stars are
 * decoration.
 */
export const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** A text with one space for each row of white space. A no-break space stays. */
export const collapse = (text: string) => text.replace(/[ \t\n\f\r]+/g, ' ');

/** Whether a text is an e-mail address that a link can lead to as it is. */
export const isMailbox = (text: string) =>
  /^[^\s@<>?&%]+@[^\s@<>?&%/][^\s@<>?&%/.]*\.[^\s@<>?&%/]+$/.test(text);

export const digitsOf = (text: string) => text.replace(/\D/g, '');

/** A text of at most so many characters: the end of a longer one is left out, which is shown. */
export const cut = (text: string, longest: number) =>
  text.length > longest ? `${text.slice(0, longest - 1).toWellFormed()}…` : text;

/** A page's text in a message: in quotes, cut, without what is invisible. */
export const quoted = (text: string, longest = 60) =>
  `"${cut(text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ''), longest)}"`;
