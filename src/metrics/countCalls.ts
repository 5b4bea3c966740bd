import { DomainError } from '../errors.ts';
import type { CallbackOutcome } from './registry.ts';

interface GitRun {
  args: string[];
}

/** Options of git before the command's name. */
const takesValue = new Set(['-c', '-C']);

/** `run` that tells the name of each git command. */
export const countGitCommands =
  <C extends GitRun, A extends unknown[], R>(
    run: (command: C, ...more: A) => R,
    tell: (name: string) => void,
  ) =>
  (command: C, ...more: A): R => {
    tell(
      command.args.find(
        (word, i, { [i - 1]: before }) => !word.startsWith('-') && !takesValue.has(before!),
      ) ?? 'none',
    );
    return run(command, ...more);
  };

/**
 * `send` that tells how each attempt ended. One that a cancel or a shutdown interrupts did not end.
 */
export const countDeliveries =
  <A extends unknown[]>(
    send: (...args: A) => Promise<number>,
    tell: (outcome: CallbackOutcome) => void,
  ) =>
  async (...args: A): Promise<number> => {
    try {
      const status = await send(...args);
      tell('accepted');
      return status;
    } catch (error) {
      if (error instanceof DomainError)
        tell(error.details?.['status'] === undefined ? 'failed' : 'refused');
      throw error;
    }
  };
