import mocha from 'mocha';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { addUp, type Figures, type MeasuredPart, summaryOf } from './summary.ts';

/** What a process printed before it ended has room. */
const MESSAGE_CHARACTERS = 2_000;

/**
 * Mocha's own report, and at its end the summary. Where `TEST_FIGURES` names a file, that gets the
 * figures instead.
 */
export default class Reporter extends mocha.reporters.Spec {
  /** Each process that runs tests appends a line to it for each file. */
  readonly #cpuLog = join(tmpdir(), `agent-tasks-cpu-${process.pid}`);
  readonly #failures: string[] = [];

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    process.env['TEST_CPU_LOG'] = this.#cpuLog;
    runner.on('fail', (test, error: Error) => {
      const message = error.message.trim().replaceAll(/\s*\n\s*/g, ' | ');
      this.#failures.push(
        `${nameOf(test.file)} ${test.fullTitle()}: ${message.slice(0, MESSAGE_CHARACTERS)}`,
      );
    });
  }

  override epilogue(): void {
    super.epilogue();
    const { passes: passed, failures: failed, pending: skipped } = this.stats;
    const figures: Figures = {
      passed,
      failed,
      skipped,
      failures: this.#failures,
      parts: this.#readCpuLog(),
    };
    const target = process.env['TEST_FIGURES'];
    if (target) writeFileSync(target, JSON.stringify(figures));
    else console.log(summaryOf([figures]));
  }

  /** A file with several suites has several lines. */
  #readCpuLog(): MeasuredPart[] {
    if (!existsSync(this.#cpuLog)) return [];
    const lines = readFileSync(this.#cpuLog, 'utf8').trim().split('\n');
    rmSync(this.#cpuLog);
    const parts = Map.groupBy(
      lines.map((line) => JSON.parse(line) as MeasuredPart),
      ({ name }) => name,
    );
    return [...parts].map(([name, same]) => addUp(name, same));
  }
}

const nameOf = (file = '') => relative(process.cwd(), file);
