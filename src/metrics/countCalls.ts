import type { RowState } from '../contract/batches/batch.ts';
import type { BatchStore } from '../contract/batches/batchStore.ts';
import type { Traces } from '../contract/traces.ts';
import { DomainError } from '../errors.ts';
import type { CallbackOutcome } from './registry.ts';

interface GitRun {
  args: string[];
}

/** Options of git that come before the command and have a value. */
const takesValue = new Set(['-c', '-C']);

/** Wraps `runGit`, and counts git commands by name. */
export const countGitCommands =
  <C extends GitRun, A extends unknown[], R>(
    runGit: (command: C, ...otherArguments: A) => R,
    countCall: (name: string) => void,
  ) =>
  (command: C, ...otherArguments: A): R => {
    countCall(gitCommandName(command));
    return runGit(command, ...otherArguments);
  };

/** Wraps `runGit`, and makes a span for each git command. Its arguments stay out of the span. */
export const traceGitCommands =
  <C extends GitRun, A extends unknown[], R>(
    runGit: (command: C, ...otherArguments: A) => Promise<R>,
    traces: Pick<Traces, 'inSpan'>,
  ) =>
  (command: C, ...otherArguments: A): Promise<R> => {
    const name = gitCommandName(command);
    return traces.inSpan(`git ${name}`, { attributes: { 'git.command': name } }, () =>
      runGit(command, ...otherArguments),
    );
  };

/** The command, such as `fetch`. No option or argument: these may contain customers' texts. */
const gitCommandName = ({ args }: GitRun) =>
  args.find(
    (word, i, { [i - 1]: previousWord }) => !word.startsWith('-') && !takesValue.has(previousWord!),
  ) ?? 'none';

interface HttpAnswer {
  status: number;
}

/** Wraps `send`, and makes a span for each request to a host or a forge. */
export const traceRequests =
  <A extends unknown[], R extends HttpAnswer>(
    name: 'host check' | 'forge request',
    send: (...args: A) => Promise<R>,
    traces: Traces,
  ) =>
  (...args: A): Promise<R> =>
    traces.inSpan(name, {}, async () => {
      const answer = await send(...args);
      traces.annotate({ 'http.response.status_code': answer.status });
      return answer;
    });

/** Wraps `send`, and counts delivery attempts by outcome. Cancelled attempts do not count. */
export const countDeliveries =
  <A extends unknown[]>(
    send: (...args: A) => Promise<number>,
    countCall: (outcome: CallbackOutcome) => void,
  ) =>
  async (...args: A): Promise<number> => {
    try {
      const status = await send(...args);
      countCall('accepted');
      return status;
    } catch (error) {
      if (error instanceof DomainError)
        countCall(error.details?.['status'] === undefined ? 'failed' : 'refused');
      throw error;
    }
  };

/**
 * Wraps the store that the activities of batches use, and counts rows by the state that they reach.
 * A repeated activity may count a row again.
 */
export const countBatchRows = (
  batches: BatchStore,
  countCall: (state: RowState, count: number) => void,
): BatchStore => ({
  ...batches,
  async written(batchId, number, result) {
    await batches.written(batchId, number, result);
    countCall(result.isHeld ? 'held' : 'written', 1);
  },
  async fail(batchId, rows) {
    await batches.fail(batchId, rows);
    countCall('failed', rows.length);
  },
  async commitRows(batchId, rows) {
    const isDone = await batches.commitRows(batchId, rows);
    if (isDone) countCall('committed', rows.numbers.length);
    return isDone;
  },
  async move(batchId, rows) {
    const movedCount = await batches.move(batchId, rows);
    countCall(rows.to, movedCount);
    return movedCount;
  },
});
