/** Most characters of the words to search for. Longer words make a regular expression too long. */
export const LONGEST = 1_000;
