import { missingPrograms } from '../helpers/programs.ts';

const SLOWEST = 15;

/** What one runner did. */
export interface Figures {
  passed: number;
  failed: number;
  skipped: number;
  /** What failed, each with its file and its error, in a line. */
  failures: string[];
  /** How long each file's tests and hooks took together, milliseconds. */
  files: { file: string; ms: number }[];
}

export const sum = (runs: Figures[], count: 'passed' | 'failed' | 'skipped') =>
  runs.reduce((total, run) => total + run[count], 0);

/**
 * The end of a report: the slowest files, what to install to run the skipped tests, what failed,
 * and one line over all runners.
 */
export function summaryOf(runs: Figures[]): string {
  const slowest = runs
    .flatMap(({ files }) => files)
    .sort((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST)
    .map(({ file, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}`);
  const skipped = sum(runs, 'skipped');
  const advice =
    skipped > 0
      ? [`To run the ${skipped} skipped tests, install ${missingPrograms().join(' and ')}`]
      : [];
  const failures = runs.flatMap((run) => run.failures);
  const failed =
    failures.length > 0 ? ['Failed:', ...failures.map((failure) => `  ${failure}`), ''] : [];
  const counts = `${sum(runs, 'passed')} passed, ${sum(runs, 'failed')} failed, ${skipped} skipped`;
  return ['Slowest files:', ...slowest, '', ...advice, ...failed, counts].join('\n');
}
