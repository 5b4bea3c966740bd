import type { BatchOptions } from '../../src/contract/batches/batch.ts';
import { withoutUndefined } from '../../src/contract/withoutUndefined.ts';
import { needsCheck, type RejectedPage, type TokenUsage } from '../../src/contract/task.ts';
import type { ActivityAttempt } from '../activityAttempt.ts';
import type { ActivityDependencies, TaskRef } from '../deps.ts';
import type { OpenTemplate } from '../pageWriter.ts';
import type { TemplateRef } from '../readSite.ts';
import { DomainError } from '../../src/errors.ts';

interface GenerateRowInput {
  /** Its `taskId` is the batch's id. */
  task: TaskRef;
  base: string;
  template: TemplateRef;
  number: number;
  onWarnings: BatchOptions['onWarnings'];
  /** The language model that writes the pages. Absent: the rules do it. */
  model?: string;
  /** The rejected answer of an earlier activity, which this one repairs. */
  rejected?: RejectedPage;
}

/** `rejected`: the language model's answer that another activity must repair. */
export interface WrittenRowResult {
  rejected?: RejectedPage;
  usage?: TokenUsage;
}

/**
 * Writes the page of a row of a batch, and stores its texts in the database. If the agent can't use
 * the row's context, marks the row as failed: the other rows continue. Repeatable: the same row is
 * stored again. Throws only errors that may pass, or that all rows have.
 */
export function createGenerateRow(
  { batches }: Pick<ActivityDependencies, 'batches'>,
  openTemplate: OpenTemplate,
) {
  return async (
    { number, onWarnings, rejected, ...argument }: GenerateRowInput,
    signal: AbortSignal,
    attempt: ActivityAttempt,
  ): Promise<WrittenRowResult> => {
    const { taskId: batchId } = argument.task;
    const item = await batches.input(batchId, number);
    const failRow = async (error: string) => {
      await batches.fail(batchId, [{ number, error }]);
      return {};
    };
    try {
      const { write } = await openTemplate(argument, signal);
      const page = await write(item, rejected);
      const { usage } = page.rejected ?? page;
      if (usage) attempt.setDetails({ usage });
      if (page.rejected && !rejected) return withoutUndefined({ rejected: page.rejected, usage });
      if (page.rejected) return await failRow(page.rejected.problems.join('; '));
      const isHeld = onWarnings === 'hold' && (page.notes ?? []).some(needsCheck);
      await batches.written(batchId, number, { page, isHeld });
      return withoutUndefined({ usage });
    } catch (error) {
      if (!(error instanceof DomainError) || error.retryable || concernsAllRows(error)) throw error;
      return failRow(error.message);
    }
  };
}

/** Errors that all rows would have. */
const concernsAllRows = ({ code }: DomainError) =>
  code === 'CHANGED_BY_DEPLOY' || code === 'GIT_FAILED' || code === 'TOKENS_USED_UP';
