import { Joi } from '../../../boundedJoi.ts';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { approveRows, retryRows } from '../../../tasks/batches/commands.ts';
import { type BatchView, readBatch } from '../../../tasks/batches/read.ts';
import { confirmField } from '../../schemas.ts';
import type { ChangingArgs } from '../../startingTool.ts';
import { type AssistantCall, startHints, type AssistantTool } from '../../tool.ts';
import {
  batchId,
  changedBatchAnswer,
  presentChangedBatch,
  requireBatchId,
  rowNumbers,
} from './batchFields.ts';

interface RowsArgs extends ChangingArgs {
  batchId: string;
  rows?: number[];
}

interface RowsToolOptions {
  name: string;
  title: string;
  description: string;
  change: typeof approveRows;
  /**
   * The question if the batch publishes its pages; null if there is nothing to do. Absent: the tool
   * puts nothing live.
   */
  ask?: (view: BatchView, rows: number[] | undefined) => string | null;
}

/** The common part of the tools that let a batch continue with some of its rows. */
const rowsTool = ({ change, ask, ...texts }: RowsToolOptions): AssistantTool<RowsArgs> => ({
  ...texts,
  hints: { ...startHints, destructiveHint: ask !== undefined },
  input: Joi.object({ batchId, rows: rowNumbers, ...(ask && { confirm: confirmField }) }),
  output: changedBatchAnswer,
  limit: 'create',
  starts: true,
  ...(ask && {
    isPublishing: async (call: AssistantCall, args: RowsArgs) =>
      (await readView(call, args)).batch.publish,
    question: async (call: AssistantCall, args: RowsArgs) =>
      ask(await readView(call, args), args.rows),
  }),
  async run(call, { rows, ...args }) {
    const id = requireBatchId(call, args.batchId);
    const view = await change(call.caller, call.deps, {
      batchId: id,
      ...withoutUndefined({ rows }),
    });
    return presentChangedBatch(view);
  },
});

const readView = (call: AssistantCall, args: RowsArgs): Promise<BatchView> =>
  readBatch(call.caller, call.deps, requireBatchId(call, args.batchId));

/** `approve_rows`: approves held rows, or the rows after the canary. */
export const approveRowsTool = rowsTool({
  name: 'approve_rows',
  title: 'Approve rows',
  description:
    'Approves held rows. Without rows, approves all, and those after the canary. Puts nothing live.',
  change: approveRows,
});

/** `retry_rows`: writes failed rows again. */
export const retryRowsTool = rowsTool({
  name: 'retry_rows',
  title: 'Retry rows',
  description:
    'Writes failed rows again: these, or all. Invalid rows stay failed. If the batch publishes, a person must agree.',
  change: retryRows,
  ask({ counts: { failed } }, rows) {
    const rowCount = rows?.length ?? failed;
    return rowCount === 0
      ? null
      : `Write ${countRows(rowCount)} again, and make the pages live as soon as they are ready?`;
  },
});

const countRows = (count: number): string => (count === 1 ? '1 row' : `${count} rows`);
