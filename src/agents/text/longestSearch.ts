/** Characters of the longest words that are searched for: longer ones don't fit into a pattern. */
export const LONGEST = 1_000;
