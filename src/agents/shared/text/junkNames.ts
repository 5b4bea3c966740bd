/** Kinds of junk that a cell contains instead of a value, with their names for people. */
export const junkNames = {
  'spreadsheet-error': 'an error value of a spreadsheet',
  'merge-field': 'an unfilled merge field',
  placeholder: 'a placeholder',
};
export type JunkCode = keyof typeof junkNames;
