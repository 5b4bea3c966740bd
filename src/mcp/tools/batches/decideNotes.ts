import type { ObjectSchema } from 'joi';
import { Joi } from '../../../boundedJoi.ts';
import { withoutUndefined } from '../../../contract/withoutUndefined.ts';
import { batchNotesBody } from '../../../api/routes/tasks/notes.schema.ts';
import { type BatchNotesRequest, decideBatchNotes } from '../../../tasks/batches/batchNotes.ts';
import { countField, pickFields, textField, textList, toolAnswer } from '../../schemas.ts';
import { startHints, type AssistantTool } from '../../tool.ts';
import { noteIdList } from '../settleNotes.ts';
import { batchId, requireBatchId } from './batchFields.ts';

interface DecideNotesArgs extends Pick<
  BatchNotesRequest,
  'state' | 'page' | 'text' | 'value' | 'places'
> {
  batchId: string;
  noteIds?: string[];
}

const MOST_MESSAGES = 50;

/** `decide_notes`: records what a person decided about notes of a batch. */
export const decideNotesTool: AssistantTool<DecideNotesArgs> = {
  name: 'decide_notes',
  title: 'Decide on notes of a batch',
  description:
    'Records what a person decided about notes of a batch, on all pages that have the note, removes their facts, replaces them by the text of the person, or gives unused columns a place (done). Without noteIds and page, it applies to all notes. It publishes nothing.',
  hints: { ...startHints, idempotentHint: true, openWorldHint: false },
  input: Joi.object({
    batchId,
    ...pickFields(batchNotesBody as ObjectSchema, 'state', 'page', 'text', 'value', 'places'),
    noteIds: noteIdList,
  })
    .with('text', 'noteIds')
    .with('value', 'text')
    .with('places', 'noteIds'),
  output: toolAnswer({
    batchId: textField('The batch.').required(),
    count: countField('The number of notes, counted on each page.'),
    remaining: countField('Notes that stay open, because their facts cannot be changed alone.'),
    messages: textList('What could not be changed, and why.').required(),
  }),
  limit: 'create',
  async run(call, { noteIds, batchId: id, state, ...selection }) {
    const { count, remaining, sentences } = await decideBatchNotes(call.caller, call.deps, {
      batchId: requireBatchId(call, id),
      state,
      ...withoutUndefined({ ...selection, notes: noteIds }),
    });
    const messages = sentences.slice(0, MOST_MESSAGES);
    return {
      batchId: id,
      count,
      remaining,
      messages,
      next: 'Call get_batch to see the notes that are still open.',
    };
  },
};
