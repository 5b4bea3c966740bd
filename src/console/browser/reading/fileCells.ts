/** The cells of a file, and how they were read. */
export interface Reading {
  cells: string[][];
  /** Of a text file: the label of its encoding. */
  encoding?: string;
  /** Of a workbook: the sheet, as it is called after the file's name. */
  sheet?: string;
  /** What a person should look at. */
  remarks: string[];
}
