/** The words of a text, parted by white space, without repetitions. */
export const wordSet = (text: string): Set<string> => new Set(text.trim().split(/\s+/));

/** The phrases of a text, parted by `|`. White space around them does not count. */
export const phrases = (text: string): string[] => text.split('|').map((phrase) => phrase.trim());
