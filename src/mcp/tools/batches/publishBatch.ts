import { Joi } from '../../../boundedJoi.ts';
import { onCode } from '../../../errors.ts';
import { publishBatch, selectPublishedRows } from '../../../tasks/batches/publishBatch.ts';
import { readBatch } from '../../../tasks/batches/read.ts';
import { confirmField } from '../../schemas.ts';
import type { ChangingArgs } from '../../startingTool.ts';
import { startHints, type AssistantTool } from '../../tool.ts';
import { batchId, changedBatchAnswer, presentChangedBatch, requireBatchId } from './batchFields.ts';

/** `publish_batch`: makes the pages of a batch live, if a person agrees. */
export const publishBatchTool: AssistantTool<{ batchId: string } & ChangingArgs> = {
  name: 'publish_batch',
  title: 'Publish a batch',
  description: "Makes a batch's pages live, but not those held or left out. A person must agree.",
  hints: { ...startHints, destructiveHint: true },
  input: Joi.object({ batchId, confirm: confirmField }),
  output: changedBatchAnswer,
  limit: 'create',
  starts: true,
  isPublishing: () => true,
  async question(call, args) {
    const id = requireBatchId(call, args.batchId);
    const { counts } = await readBatch(call.caller, call.deps, id);
    const { held, failed, skipped } = counts;
    const selection = await selectPublishedRows(call.deps, id).catch(onCode(['CONFLICT'], null));
    // the command itself says why nothing can be published
    if (!selection) return null;
    const pageCount = selection.publish.length;
    const heldCount = held + selection.hold.length;
    const remaining = [
      heldCount > 0 && `${heldCount} held`,
      failed > 0 && `${failed} failed`,
      skipped > 0 && `${skipped} left out`,
    ].filter((words) => words !== false);
    return [
      `Make ${pageCount} ${pageCount === 1 ? 'page' : 'pages'} live?`,
      ...(remaining.length > 0 ? [`Not live: ${remaining.join(', ')}.`] : []),
    ].join(' ');
  },
  async run(call, args) {
    const id = requireBatchId(call, args.batchId);
    return presentChangedBatch(await publishBatch(call.caller, call.deps, { batchId: id }));
  },
};
