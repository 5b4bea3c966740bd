import { Joi } from '../../../boundedJoi.ts';
import { contextPlaces } from '../../../contract/contextPlaces.ts';
import { droppableKinds } from '../../../contract/task.ts';
import type { FactSelection } from '../../../tasks/removeTaskFacts.ts';
import type { NoteStatesRequest } from '../../../tasks/changeNoteStates.ts';
import type { BatchNotesRequest } from '../../../tasks/batches/batchNotes.ts';
import { pageSlug } from '../../slugSchemas.ts';
import { textSchema } from '../../textSchema.ts';

const idList = (description: string) =>
  Joi.array().items(Joi.string().max(60)).min(1).max(300).empty(null).description(description);

const page = pageSlug()
  .empty(null)
  .description('Select only notes on this page. Default: all pages of the task.');
const noteIds = idList('Select only these notes, by their ids.');

const typedText = textSchema().line(500).trim().empty(null);
const typedValue = Joi.string()
  .max(1000)
  .empty(null)
  .description('The value to replace with `text`. Required if a note names several values.');

const valuePlaces = Joi.object()
  .pattern(Joi.string().max(100), Joi.valid(...contextPlaces))
  .min(1)
  .max(20)
  .empty(null)
  .description(
    'Where unused values of `notes` belong, by their `keys` (in brackets in the text). The notes are then `done`.',
  )
  .meta({ schemaName: 'ValuePlaces' });

/** The body of POST /agent/tasks/{taskId}/notes/drop. */
export const dropBody = Joi.object<FactSelection>({
  page,
  kind: Joi.valid(...droppableKinds)
    .empty(null)
    .description('Select only notes of this kind.')
    .meta({ schemaName: 'DroppableKind' }),
  slots: idList('Select only notes on these texts of `page`, by the ids of their slots.'),
  notes: noteIds,
  text: typedText.description(
    'Plain text that replaces the facts of `notes`, which are then `done`. Default: the facts are removed.',
  ),
  value: typedValue,
  places: valuePlaces,
})
  .required()
  .label('body');

const state = Joi.valid('open', 'done', 'kept')
  .required()
  .description('`done`: corrected by hand. `kept`: kept on purpose. `open`: opens the note again.');

/** The body of PATCH /agent/tasks/{taskId}/notes. */
export const notesBody = Joi.object<NoteStatesRequest>({ state, page, notes: noteIds })
  .required()
  .label('body');

/** The body of PATCH /agent/batches/{batchId}/notes. */
export const batchNotesBody = Joi.object<Omit<BatchNotesRequest, 'batchId'>>({
  state: Joi.valid('open', 'done', 'kept', 'dropped')
    .required()
    .description(
      '`done`: corrected by hand, or by `text`. `kept`: kept on purpose. `dropped`: removes the facts from the pages. `open`: opens the note again.',
    ),
  page,
  notes: noteIds,
  text: typedText.description(
    'With `done`: plain text that replaces the facts of `notes` on their pages.',
  ),
  value: typedValue,
  places: valuePlaces,
})
  .required()
  .label('body');
