import { invalidInputError } from '../../errors.ts';

/** Columns with a meaning of their own. */
export const knownColumns = [
  'targetPageSlug',
  'context',
  'externalId',
  'templatePageSlug',
  'facts',
] as const;
/** Longest name of a column that is shown. */
const NAME_LENGTH = 60;

export const quotedName = (name: string) => JSON.stringify(name.slice(0, NAME_LENGTH));

/** The error for a table that can't be read. @param problem the end of a sentence */
export const csvError = (problem: string) =>
  invalidInputError(`The request body is not valid CSV: ${problem}`);

/** What can be wrong with a table, each as the end of a sentence. */
export const csvProblems = {
  noHeader: 'the first line must contain the names of the columns, including targetPageSlug',
  noRow: 'it has no row after the header',
  noContext: 'it has neither a column context nor any other column from which to build the context',
  duplicateColumn: (name: string) => `more than one column has the name ${quotedName(name)}`,
  otherColumns: (names: string[]) =>
    `a table with the column context cannot also have ${names.slice(0, 5).map(quotedName).join(', ')}: the allowed columns are ${knownColumns.join(', ')}`,
  columns: (limit: number) => `it has more than ${limit} columns`,
  lines: (limit: number) => `it has more than ${limit} lines`,
  longRow: (rowWords: string, limit: number) =>
    `${rowWords} has more than ${limit} characters: check for a missing closing quotation mark`,
  encoding: (encoding: string) => `it is not encoded as ${encoding}`,
  quotes: (placeWords: string, problem: string) =>
    `the quotation marks in ${placeWords} are wrong: ${problem}`,
};
