/** Most characters of the words to search for. Longer words make a regular expression too long. */
export const MAX_SEARCH_LENGTH = 1_000;
