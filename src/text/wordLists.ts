/** The words of a text, parted by white space, without repetitions. */
export const wordSet = (text: string): Set<string> => new Set(text.trim().split(/\s+/));

/** The phrases of a text, parted by `|`. White space around them does not count. */
export const phrases = (text: string): string[] => text.split('|').map((phrase) => phrase.trim());

/** The phrases of several texts, by the texts' names. */
export const phraseLists = <Name extends string>(
  texts: Record<Name, string>,
): Record<Name, string[]> =>
  Object.fromEntries(
    Object.entries<string>(texts).map(([name, text]) => [name, phrases(text)]),
  ) as Record<Name, string[]>;
