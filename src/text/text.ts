/** Whether a text has a letter or a number. Bullets, arrows and stars are decoration. */
export const hasWords = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** Makes each run of white space one space. A no-break space stays. */
export const collapse = (text: string) => text.replace(/[ \t\n\f\r]+/g, ' ');

/** Whether a text is an e-mail address that can stand in a link as it is. */
export const isMailbox = (text: string) =>
  /^[^\s@<>?&%]+@[^\s@<>?&%/][^\s@<>?&%/.]*\.[^\s@<>?&%/]+$/.test(text);

export const digitsOf = (text: string) => text.replace(/\D/g, '');

/** Cuts a text to so many characters at most, with `…` at the end of a cut one. */
export const cut = (text: string, longest: number) =>
  text.length > longest ? `${text.slice(0, longest - 1).toWellFormed()}…` : text;

/** A page's text for a message: in quotes, cut, without invisible characters. */
export const quoted = (text: string, longest = 60) =>
  `"${cut(text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ''), longest)}"`;
