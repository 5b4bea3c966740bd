import { Joi } from '../../../boundedJoi.ts';
import { publishBatch } from '../../../tasks/batches/commands.ts';
import { readBatch } from '../../../tasks/batches/read.ts';
import { confirmField } from '../../schemas.ts';
import type { ChangingArgs } from '../../startingTool.ts';
import { startHints, type AssistantTool } from '../../tool.ts';
import { batchId, changedBatchAnswer, presentChangedBatch, requireBatchId } from './batchFields.ts';

/** `publish_batch`: makes the pages of a batch live, if a person agrees. */
export const publishBatchTool: AssistantTool<{ batchId: string } & ChangingArgs> = {
  name: 'publish_batch',
  title: 'Publish a batch',
  description:
    'Makes the pages of a batch live that was created without `publish`. Held and failed rows stay as they are. A person must agree.',
  hints: { ...startHints, destructiveHint: true },
  input: Joi.object({ batchId, confirm: confirmField }),
  output: changedBatchAnswer,
  limit: 'create',
  starts: true,
  isPublishing: () => true,
  async question(call, args) {
    const { counts } = await readBatch(call.caller, call.deps, requireBatchId(call, args.batchId));
    const { committed, held, failed, skipped } = counts;
    // the command itself says why nothing can be published
    if (committed === 0) return null;
    const remaining = [
      held > 0 && `${held} held`,
      failed > 0 && `${failed} failed`,
      skipped > 0 && `${skipped} left out`,
    ].filter((words) => words !== false);
    return [
      `Make ${committed} ${committed === 1 ? 'page' : 'pages'} live?`,
      ...(remaining.length > 0 ? [`Not live: ${remaining.join(', ')}.`] : []),
    ].join(' ');
  },
  async run(call, args) {
    const id = requireBatchId(call, args.batchId);
    return presentChangedBatch(await publishBatch(call.caller, call.deps, id));
  },
};
