import { Joi } from '../joi.ts';
import { defined } from '../contract/defined.ts';
import { type NoteKind, notesIn } from '../contract/task.ts';
import { dropBody } from '../api/routes/notes.schema.ts';
import { dropNotes as drop } from '../tasks/dropNotes.ts';
import { notesDownFrom } from '../tasks/openNotes.ts';
import { idsOfSame } from './distinctNotes.ts';
import { type Changing, knownTask, sentTo, TASKS } from './newTask.ts';
import { fieldsOf, idempotencyKey, presentStart, started, taskId } from './schemas.ts';
import { noteIds } from './settleNotes.ts';
import { type Call, starts, type Tool } from './tool.ts';

interface Args extends Pick<Changing, 'idempotencyKey'> {
  taskId: string;
  noteIds?: string[];
  kind?: NoteKind;
  page?: string;
  title?: string;
}

export const dropNotes: Tool<Args> = {
  name: 'drop_notes',
  title: 'Drop what notes are about',
  description:
    'Starts a task that removes from the pages what notes of a completed task name, such as a price of the template. Give noteIds or a kind. Notes of tasks below are meant too. The result has previews: publish it in place of the other task.',
  hints: { ...starts, openWorldHint: true },
  input: Joi.object({
    taskId,
    noteIds,
    ...fieldsOf(dropBody, 'kind', 'page', 'title'),
    idempotencyKey,
  }),
  output: started,
  limit: 'create',
  starts: true,
  async run(call, { noteIds, idempotencyKey, ...args }) {
    const { caller, parts } = call;
    const taskId = knownTask(call, args.taskId);
    const { kind, page, title } = args;
    const notes = noteIds && idsOfSame(await notesOf(call, taskId), noteIds);
    const request = {
      taskId,
      publish: false,
      onWarnings: 'publish' as const,
      ...defined({ page, kind, notes, title }),
    };
    const sent = sentTo(`${TASKS}/${taskId}/notes/drop`, idempotencyKey);
    return presentStart(await drop(caller, parts, request, sent));
  },
};

/** The notes of a task and of the tasks that it builds on. */
async function notesOf({ caller, parts }: Call, taskId: string) {
  const { finished } = await parts.tasks.find(caller.organizationId, taskId);
  return [...notesIn(finished), ...(await notesDownFrom(parts, caller, taskId))];
}
