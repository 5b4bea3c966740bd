import type { ObjectSchema } from 'joi';
import { Joi } from '../../../boundedJoi.ts';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { batchNotesBody } from '../../../api/routes/tasks/notes.schema.ts';
import { type BatchNotesRequest, decideBatchNotes } from '../../../tasks/batches/batchNotes.ts';
import { countField, pickFields, textField, toolAnswer } from '../../schemas.ts';
import { startHints, type AssistantTool } from '../../tool.ts';
import { noteIdList } from '../settleNotes.ts';
import { batchId, requireBatchId } from './batchFields.ts';

interface DecideNotesArgs extends Pick<BatchNotesRequest, 'state' | 'page'> {
  batchId: string;
  noteIds?: string[];
}

/** `decide_notes`: records what a person decided about notes of a batch. */
export const decideNotesTool: AssistantTool<DecideNotesArgs> = {
  name: 'decide_notes',
  title: 'Decide on notes of a batch',
  description:
    'Records what a person decided about notes of a batch, on all pages that have the note, or removes their facts. Without noteIds and page, it applies to all notes. It publishes nothing.',
  hints: { ...startHints, idempotentHint: true, openWorldHint: false },
  input: Joi.object({
    batchId,
    ...pickFields(batchNotesBody as ObjectSchema, 'state', 'page'),
    noteIds: noteIdList,
  }),
  output: toolAnswer({
    batchId: textField('The batch.').required(),
    count: countField('The number of notes, counted on each page.'),
  }),
  limit: 'create',
  async run(call, { noteIds, batchId: id, state, page }) {
    const { count } = await decideBatchNotes(call.caller, call.deps, {
      batchId: requireBatchId(call, id),
      state,
      ...withoutUndefined({ page, notes: noteIds }),
    });
    return { batchId: id, count, next: 'Call get_batch to see the notes that are still open.' };
  },
};
