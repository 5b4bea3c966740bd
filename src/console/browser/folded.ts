/** A text in lower case, and without accents. */
export const folded = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The same without anything but letters and numbers: names of columns are compared so. */
export const bare = (text: string) => folded(text).replace(/[^\p{L}\p{N}]/gu, '');

/** A text on one line, with one space between its words. */
export const oneLine = (text: string) => text.split(/\s+/).filter(Boolean).join(' ');
