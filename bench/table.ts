import { type Comparison, median, ratioOf } from './measure.ts';

/** A line of the printed table. */
export interface Row {
  /** What was measured, and what it is compared with. */
  what: string;
  aim: string;
  ratio: string;
  measured: string;
  baseline: string;
  rounds: string;
}

const columns: Record<keyof Row, string> = {
  what: 'what',
  aim: 'aim',
  ratio: 'ratio',
  measured: 'measured',
  baseline: 'baseline',
  rounds: 'rounds',
};

export const head = () =>
  `${line(columns)}\n${line(Object.fromEntries(Object.keys(columns).map((name) => [name, '---'])))}`;

export const line = (row: Partial<Row>) =>
  `| ${Object.keys(columns)
    .map((name) => row[name as keyof Row] ?? '')
    .join(' | ')} |`;

/** The medians of both, and their ratio. */
export function rowOf(comparison: Comparison): Row {
  const { what, aim = '', unit, measured, baseline } = comparison;
  const told = (values: number[]) => `${digits(median(values))} ${unit}`.trim();
  const rounds = String(measured.length);
  return {
    what,
    aim,
    ratio: ratioOf(comparison).toFixed(2),
    measured: told(measured),
    baseline: told(baseline),
    rounds,
  };
}

/** Three digits say all that can be known on a shared machine. */
export const digits = (value: number) => (value >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString());
