/** The words of a text, separated by white space, without repetitions. */
export const wordSet = (text: string): Set<string> => new Set(text.trim().split(/\s+/));

/** The phrases of a text, separated by `|` and trimmed. */
export const splitPhrases = (text: string): string[] =>
  text.split('|').map((phrase) => phrase.trim());

/** Splits several texts into phrases. The result has the same keys. */
export const phraseLists = <Name extends string>(
  texts: Record<Name, string>,
): Record<Name, string[]> =>
  Object.fromEntries(
    Object.entries<string>(texts).map(([name, text]) => [name, splitPhrases(text)]),
  ) as Record<Name, string[]>;
