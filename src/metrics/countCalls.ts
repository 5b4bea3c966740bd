import { DomainError } from '../errors.ts';
import type { CallbackOutcome } from './registry.ts';

interface GitRun {
  args: string[];
}

/** Options of git that come before the command and have a value. */
const takesValue = new Set(['-c', '-C']);

/** Wraps `run`, and counts git commands by name. */
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

/** Wraps `send`, and counts delivery attempts by outcome. Cancelled attempts do not count. */
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
