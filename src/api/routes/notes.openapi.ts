import { answer, body } from '../openapi/bodies.ts';
import { resultGone, startErrors, wrongBody } from '../openapi/commonErrors.ts';
import { jsonSchemaOf, namedSchemas } from '../openapi/jsonSchema.ts';
import type { Operation, RoutesDescription } from '../openapi/operation.ts';
import { exampleNoteId, idempotencyKeyParameter, siteNotFound } from '../openapi/parameters.ts';
import { arrayOf, objectSchema, schemaRef } from '../openapi/schemas.ts';
import { dropBody, noteBody, notesBody } from './notes.schema.ts';
import { createdExample } from './tasks.examples.ts';

const noteExample = {
  id: exampleNoteId,
  state: 'done',
  by: null,
  at: '2026-11-23T09:12:44.000Z',
  page: '/locations/lisbon',
  kind: 'date',
  slot: 's41',
  slots: ['s41'],
  text: '/locations/lisbon: the date "2014" is the template\'s',
  value: '2014',
};
const running = { 'Task is still running': 'Wait until it is completed.' };
const invalid = {
  400: wrongBody('state must be one of [open, done, kept]'),
};

const drop: Operation = {
  method: 'post',
  path: '/agent/tasks/{taskId}/notes/drop',
  operationId: 'dropNotes',
  summary: 'Take out what notes are about',
  description: [
    'Takes facts of the template that a new page still has out of it, with the blocks that say nothing else, as',
    '`facts` `drop` does. No model has a part in it. It is a task of its own, on top of the one that is named, or of the',
    'last one that dropped some of its notes: publish that one. Its `summary` says what went, and what can not go by',
    'itself. Its notes are those that are left.',
  ].join('\n'),
  parameters: [idempotencyKeyParameter],
  body: {
    required: true,
    schema: schemaRef('DropNotes'),
    examples: {
      page: {
        summary: 'The dates of one page',
        value: { page: '/locations/lisbon', kind: 'date', slots: ['s41'] },
      },
    },
  },
  answers: {
    200: answer('The task is running.', 'TaskCreated', { created: createdExample }),
  },
  errors: {
    ...startErrors,
    400: {
      ...wrongBody('colour is not allowed'),
      'Say what is to be dropped: kind, slots or notes':
        'A drop of everything is not meant by chance.',
      'slots are those of one page: name it as page':
        'Other pages have other texts under the same ids.',
      ...startErrors[400],
    },
    404: siteNotFound,
    409: {
      ...running,
      'Task failed: there is nothing to drop': 'It has no result.',
      'Task changed nothing: there is nothing to drop': 'Its result has no pages.',
      'No open note that can be dropped is meant':
        'They are settled, or about something that is no text of a page.',
      ...resultGone,
    },
  },
};

const settleOne = {
  method: 'patch',
  path: '/agent/tasks/{taskId}/notes/{noteId}',
  operationId: 'settleNote',
  summary: 'Settle a note',
  description: [
    'Says that it was mended by hand, or that it stays on purpose, and by whom. It is no warning any more, nor one of a',
    'later publish. An edit by hand that takes the value away settles a note by itself.',
  ].join('\n'),
  body: body('SettleNote', { done: { state: 'done' } }),
  answers: { 200: answer('As it is now.', 'Note', { note: noteExample }) },
  errors: {
    ...invalid,
    404: { 'Note not found': 'The task has no note with this `id`.' },
    409: running,
  },
} satisfies Operation;

const settle: Operation = {
  method: 'patch',
  path: '/agent/tasks/{taskId}/notes',
  operationId: 'settleNotes',
  summary: 'Settle several notes',
  description: 'Those that are named, those of a page, or all of the task.',
  body: body('SettleNotes', {
    all: { state: 'kept', page: '/locations/lisbon', notes: [noteExample.id] },
  }),
  answers: {
    200: answer('As they are now.', 'NoteList', { notes: { notes: [noteExample] } }),
  },
  errors: settleOne.errors,
};

export const notes: RoutesDescription = {
  tag: { name: 'Notes', description: 'What a person should check, and what becomes of it.' },
  schemas: {
    DropNotes: jsonSchemaOf(dropBody),
    ...namedSchemas(dropBody.extract('kind')),
    NoteList: objectSchema({ notes: arrayOf(schemaRef('Note'), 'The notes that are meant.') }),
    SettleNote: jsonSchemaOf(noteBody),
    SettleNotes: jsonSchemaOf(notesBody),
  },
  operations: [drop, settle, settleOne],
};
