const SUMMARY_LENGTH = 100;

/** Cuts a line for the Temporal UI to the length that the server accepts. */
export const cutSummary = (text: string) =>
  text.length > SUMMARY_LENGTH ? `${text.slice(0, SUMMARY_LENGTH - 1)}…` : text;
