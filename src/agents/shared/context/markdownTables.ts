import { foldWords } from '../text/foldText.ts';
import { newSection, type ContextSection } from './contextData.ts';

const DELIMITER_CELL = /^:?-+:?$/;

/**
 * Whether a block of lines is a table of GitHub Flavored Markdown: a header, a line of dashes, and
 * rows.
 */
export function isMarkdownTable(block: string): boolean {
  const [headerLine = '', delimiterLine = '', ...rows] = block.split('\n');
  return (
    rows.length > 0 &&
    headerLine.includes('|') &&
    delimiterLine.includes('|') &&
    splitTableCells(delimiterLine).every((cell) => DELIMITER_CELL.test(cell))
  );
}

/**
 * Turns each row of a table into a section. Its first cell is the section's name; the other cells
 * are fields with their columns' names.
 * @param toPlainText returns a cell's text without inline marks
 */
export function readMarkdownTable(
  block: string,
  toPlainText: (cell: string) => string,
): ContextSection[] {
  const [headerLine = '', , ...rows] = block.split('\n');
  const keys = splitTableCells(headerLine).map((cell) => foldWords(toPlainText(cell)));
  return rows.map((row) => {
    const [name = '', ...cells] = splitTableCells(row).map(toPlainText);
    const fields = cells.flatMap((cell, index) =>
      cell === '' ? [] : [{ key: keys[index + 1] ?? '', values: [cell] }],
    );
    return newSection(name, { heading: name || null, fields });
  });
}

const splitTableCells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim());
