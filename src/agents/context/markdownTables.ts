import { foldWords } from '../text/fold.ts';
import { newSection, type Section } from './contextData.ts';

const RULE = /^:?-+:?$/;

/**
 * Whether a block of lines is a table of GitHub Flavored Markdown: a header, a line of dashes, and
 * rows.
 */
export function isTable(block: string): boolean {
  const [head = '', rule = '', ...rows] = block.split('\n');
  return (
    rows.length > 0 &&
    head.includes('|') &&
    rule.includes('|') &&
    cellsOf(rule).every((cell) => RULE.test(cell))
  );
}

/**
 * Turns each row of a table into a section. Its first cell is the section's name; the other cells
 * are fields with their columns' names.
 * @param plain returns a cell's text without inline marks
 */
export function readTable(block: string, plain: (cell: string) => string): Section[] {
  const [head = '', , ...rows] = block.split('\n');
  const keys = cellsOf(head).map((cell) => foldWords(plain(cell)));
  return rows.map((row) => {
    const [name = '', ...cells] = cellsOf(row).map(plain);
    const fields = cells.flatMap((cell, i) =>
      cell === '' ? [] : [{ key: keys[i + 1] ?? '', values: [cell] }],
    );
    return newSection(name, { heading: name || null, fields });
  });
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.replaceAll('\\|', '|').trim());
