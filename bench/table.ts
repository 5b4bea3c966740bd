import { type Comparison, median, ratioOf, type Unit } from './measure.ts';

/** A line of the table in docs/performance.md. */
export interface Row {
  /** As the table names it: what was measured / what it is compared with. */
  what: string;
  aim: string;
  measured: string;
}

/** Three digits say all that can be known on a shared machine. */
export const digits = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(3)).toString();

/** The ratio of both medians, and what they are. */
export function rowOf(comparison: Comparison): Row {
  const { what, aim = '', unit, measured, baseline } = comparison;
  const both = inUnit([median(measured), median(baseline)], unit);
  return { what, aim, measured: `${ratioOf(comparison).toFixed(2)} (${both})` };
}

function inUnit(values: number[], unit: Unit): string {
  const isLong = unit === 'ms' && Math.max(...values) >= 1_000;
  const told = values.map((value) => digits(isLong ? value / 1_000 : value)).join(' / ');
  return `${told} ${isLong ? 's' : unit}`.trim();
}

const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
const cellsOf = (row: string) => row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''));

/**
 * The lines of the document's table with these rows in its last column, its others as they are.
 * Rows that it does not have come last.
 * @param document docs/performance.md
 */
export function withRows(document: string, rows: Row[]): string {
  const lines = document.split('\n');
  const start = lines.findIndex((text) => text.startsWith('| what | aim |'));
  const table = lines.slice(start, lines.indexOf('', start));
  const found = new Set<Row>();
  const filled = table.map((text) => {
    const cells = cellsOf(text);
    const row = rows.find(({ what }) => what === cells[0]);
    if (!row) return text;
    found.add(row);
    return line([...cells.slice(0, -1), row.measured]);
  });
  const others = rows
    .filter((row) => !found.has(row))
    .map(({ what, aim, measured }) => line([what, aim, '', measured]));
  return [...filled, ...others].join('\n');
}
