/** The cells of a file, and how they were read. */
export interface Reading {
  cells: string[][];
  /** For a text file: the label of its encoding. */
  encoding?: string;
  /** For a workbook: the sheet, in words that follow the file's name. */
  sheet?: string;
  /** What the person should check. */
  remarks: string[];
}
