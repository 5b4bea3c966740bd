import Joi from 'joi';
import { droppableKinds, type NoteKind } from '../../contract/task.ts';
import { pageSlug } from '../slugs.ts';
import { callbackUrl, onWarnings, publish, title } from './tasks.schema.ts';

const ids = (description: string) =>
  Joi.array().items(Joi.string().max(60)).min(1).max(300).empty(null).description(description);

const page = pageSlug().empty(null).description('Only notes on this page. Default: all pages of the task.');
const noteIds = ids('Only these notes, by their ids.');

/** The body of POST /agent/tasks/{taskId}/notes/drop. */
export const dropBody = Joi.object<DropBody>({
  page,
  kind: Joi.valid(...droppableKinds)
    .empty(null)
    .description('Only notes of this kind.'),
  slots: ids('Only notes on these texts, by the ids of their slots: of the `page` that is named.'),
  notes: noteIds,
  group: Joi.boolean()
    .empty(null)
    .default(false)
    .description('The same on all pages of all tasks of the `group`: a task for each of them.'),
  publish,
  onWarnings,
  callbackUrl,
  title,
})
  .required()
  .label('body');

export interface DropBody {
  page?: string;
  kind?: NoteKind;
  slots?: string[];
  notes?: string[];
  group: boolean;
  publish: boolean;
  onWarnings: 'publish' | 'hold';
  callbackUrl?: string;
  title?: string;
}

const state = Joi.valid('open', 'done', 'kept')
  .required()
  .description('`done`: mended by hand. `kept`: left on purpose. `open`: to be looked at, again.');

/** The body of PATCH /agent/tasks/{taskId}/notes/{noteId}. */
export const noteBody = Joi.object<NoteBody>({ state }).required().label('body');

export interface NoteBody {
  state: 'open' | 'done' | 'kept';
}

/** The body of PATCH /agent/tasks/{taskId}/notes. */
export const notesBody = Joi.object<NotesBody>({ state, page, notes: noteIds }).required().label('body');

export interface NotesBody extends NoteBody {
  page?: string;
  notes?: string[];
}
