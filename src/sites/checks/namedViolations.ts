/** The most violations that a message names. */
export const MAX_NAMED_VIOLATIONS = 30;
