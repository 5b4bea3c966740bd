import type { BatchOptions } from '../../src/contract/batch.ts';
import { defined } from '../../src/contract/defined.ts';
import type { RejectedPage, Usage } from '../../src/contract/task.ts';
import type { Attempt } from '../attempt.ts';
import type { ActivityDeps, TaskRef } from '../deps.ts';
import type { OpenTemplate } from '../pageWriter.ts';
import type { TemplateRef } from '../readSite.ts';
import { DomainError } from '../../src/errors.ts';

interface WriteRow {
  /** Its `taskId` is the batch's id. */
  task: TaskRef;
  base: string;
  template: TemplateRef;
  number: number;
  onWarnings: BatchOptions['onWarnings'];
  /** The language model that writes the pages. Absent: the rules do it. */
  model?: string;
  /** The rejected answer of an earlier step, which this step corrects. */
  rejected?: RejectedPage;
}

/** `rejected`: what the language model must correct. */
export interface RowWritten {
  rejected?: RejectedPage;
  usage?: Usage;
}

/**
 * Writes the page of a row, and stores its texts. A row whose context the agent can't use fails
 * alone, and is stored so. Repeatable: the same row is stored again. Throws what may pass.
 */
export function createWriteRow(
  { batches }: Pick<ActivityDeps, 'batches'>,
  openTemplate: OpenTemplate,
) {
  return async (
    { number, onWarnings, rejected, ...argument }: WriteRow,
    signal: AbortSignal,
    attempt: Attempt,
  ): Promise<RowWritten> => {
    const { taskId: batchId } = argument.task;
    const item = await batches.input(batchId, number);
    const fail = async (error: string) => {
      await batches.fail(batchId, [{ number, error }]);
      return {};
    };
    try {
      const { write } = await openTemplate(argument, signal);
      const page = await write(item, rejected);
      const { usage } = page.rejected ?? page;
      if (usage) attempt.setDetails({ usage });
      if (page.rejected && !rejected) return defined({ rejected: page.rejected, usage });
      if (page.rejected) return await fail(page.rejected.problems.join('; '));
      const isHeld = onWarnings === 'hold' && (page.notes ?? []).length > 0;
      await batches.written(batchId, number, { page, isHeld });
      return defined({ usage });
    } catch (error) {
      if (!(error instanceof DomainError) || error.retryable || isOfAll(error)) throw error;
      return fail(error.message);
    }
  };
}

/** Errors that all rows would have. */
const isOfAll = ({ code }: DomainError) =>
  code === 'CHANGED_BY_DEPLOY' || code === 'GIT_FAILED' || code === 'TOKENS_USED_UP';
