/**
 * Longer runs of words are looked for nowhere, in characters: they would not fit into a pattern.
 */
export const LONGEST = 1_000;
