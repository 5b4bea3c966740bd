/** The most faults that a message names. */
export const NAMED_FAULTS = 30;
