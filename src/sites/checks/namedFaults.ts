/** The most faults that a message names. */
export const MAX_NAMED_VIOLATIONS = 30;
