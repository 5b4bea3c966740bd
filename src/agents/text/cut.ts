/** A text of at most so many characters: the end of a longer one is left out, which is shown. */
export const cut = (text: string, longest: number) =>
  text.length > longest ? `${text.slice(0, longest - 1).toWellFormed()}…` : text;
