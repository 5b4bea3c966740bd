import { createLauncher, type CommandLauncher } from '../../src/sites/git/launcher/launcher.ts';

/** Starts git for all tests of this process, and ends with it. */
export const testLauncher = createLauncher();

/** The same, which keeps the names of the commands that it is asked for: `fetch`, `push`. */
export function namingLauncher() {
  const names: string[] = [];
  const launcher: CommandLauncher = {
    run(command, signal) {
      names.push(
        command.args.find((word, at) => !word.startsWith('-') && command.args[at - 1] !== '-c') ??
          '',
      );
      return testLauncher.run(command, signal);
    },
    close: () => Promise.resolve(),
  };
  return { launcher, names };
}
