import mocha from 'mocha';
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type Figures, summaryOf } from './summary.ts';

/** What a process printed before it ended has room. */
const MESSAGE_CHARACTERS = 2_000;

/**
 * Mocha's own report, and at its end the summary. Where `TEST_FIGURES` names a file, that gets the
 * figures instead.
 */
export default class Reporter extends mocha.reporters.Spec {
  readonly #files = new Map<string, number>();
  readonly #failures: string[] = [];

  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const add = ({ file, duration = 0 }: Mocha.Runnable) => {
      if (file) this.#files.set(file, (this.#files.get(file) ?? 0) + duration);
    };
    runner.on('test end', add).on('hook end', add);
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
    const files = [...this.#files].map(([file, ms]) => ({ file: nameOf(file), ms }));
    const figures: Figures = { passed, failed, skipped, failures: this.#failures, files };
    const target = process.env['TEST_FIGURES'];
    if (target) writeFileSync(target, JSON.stringify(figures));
    else console.log(summaryOf([figures]));
  }
}

const nameOf = (file = '') => relative(process.cwd(), file);
