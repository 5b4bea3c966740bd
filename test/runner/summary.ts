import { missingPrograms } from '../helpers/programs.ts';
import { type FolderBudget, readBudgets } from './budgets.ts';

const EXPENSIVE_FILES = 10;

/** A test file, or something else that a run spends CPU time on. */
export interface MeasuredPart {
  /** The file's path in the project, or what it is: `lint and types`. */
  name: string;
  /** CPU seconds, with those of the processes that it started. */
  cpu: number;
  /** Seconds that it took. */
  seconds: number;
  /** Those among them of killed processes, which nobody waited for. */
  orphaned: number;
}

/** What one runner did. */
export interface Figures {
  passed: number;
  failed: number;
  skipped: number;
  /** What failed, each with its file and its error, in a line. */
  failures: string[];
  parts: MeasuredPart[];
}

export const sum = (runs: Figures[], count: 'passed' | 'failed' | 'skipped') =>
  sumOf(runs.map((run) => run[count]));

const sumOf = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);

/**
 * The end of a report: CPU seconds of folders beside their budgets, the most expensive files, what
 * to install to run the skipped tests, what failed, and one line over all runners.
 */
export function summaryOf(runs: Figures[]): string {
  const skipped = sum(runs, 'skipped');
  const advice =
    skipped > 0
      ? [`To run the ${skipped} skipped tests, install ${missingPrograms().join(' and ')}`]
      : [];
  const failures = runs.flatMap((run) => run.failures);
  const failed =
    failures.length > 0 ? ['Failed:', ...failures.map((failure) => `  ${failure}`), ''] : [];
  const counts = `${sum(runs, 'passed')} passed, ${sum(runs, 'failed')} failed, ${skipped} skipped`;
  const cpu = cpuReport(runs.flatMap(({ parts }) => parts));
  return [...cpu, '', ...advice, ...failed, counts].join('\n');
}

/** Lines that say where the CPU time went. */
export function cpuReport(parts: MeasuredPart[], budgets = readBudgets()): string[] {
  const costly = parts.filter(({ cpu }) => cpu > 0);
  const byFolder = Map.groupBy(costly, ({ name }) => folderOf(name, budgets));
  const folders = [...byFolder].map(([name, inside]) => addUp(name, inside));
  const files = parts.filter(({ name }) => name.endsWith('.ts'));
  return [
    'CPU seconds, and the budgets of CONTRIBUTING.md:',
    ...byCpu(folders).map((folder) => folderLine(folder, budgets)),
    line(addUp('in all', parts)),
    'The most expensive files:',
    ...byCpu(files).slice(0, EXPENSIVE_FILES).map(line),
  ];
}

/** Several parts as one. */
export const addUp = (name: string, parts: MeasuredPart[]): MeasuredPart => ({
  name,
  cpu: sumOf(parts.map(({ cpu }) => cpu)),
  seconds: sumOf(parts.map(({ seconds }) => seconds)),
  orphaned: sumOf(parts.map(({ orphaned }) => orphaned)),
});

/** The folder of the budgets that a file is in: the innermost one. */
function folderOf(name: string, budgets: FolderBudget[]): string {
  const folders = budgets.map(({ folder }) => folder).sort((a, b) => b.length - a.length);
  return folders.find((folder) => name === folder || name.startsWith(`${folder}/`)) ?? name;
}

function folderLine(part: MeasuredPart, budgets: FolderBudget[]): string {
  const budget = budgets.find(({ folder }) => folder === part.name)?.cpu;
  if (budget === undefined) return line(part);
  return `${line(part)}  (budget ${budget}${part.cpu > budget ? ', EXCEEDED' : ''})`;
}

const byCpu = (parts: MeasuredPart[]) => [...parts].sort((a, b) => b.cpu - a.cpu);
const line = ({ name, cpu }: MeasuredPart) => `${cpu.toFixed(1).padStart(8)} s  ${name}`;
