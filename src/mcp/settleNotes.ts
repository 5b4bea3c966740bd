import { Joi } from '../joi.ts';
import { defined } from '../contract/defined.ts';
import { notesIn } from '../contract/task.ts';
import { notesBody } from '../api/routes/notes.schema.ts';
import { settleNotes as settle, type SettleRequest } from '../tasks/settleNotes.ts';
import { idsOfSame } from './distinctNotes.ts';
import { knownTask } from './newTask.ts';
import { answerOf, count, fieldsOf, string, strings, taskId } from './schemas.ts';
import { starts, type Tool } from './tool.ts';

interface Args extends Pick<SettleRequest, 'state' | 'page'> {
  taskId: string;
  noteIds?: string[];
}

export const noteIds = strings('The notes: a noteId of get_task means it on all of its pages.')
  .items(Joi.string().max(60))
  .min(1)
  .max(300)
  .empty(null);

export const settleNotes: Tool<Args> = {
  name: 'settle_notes',
  title: 'Settle notes',
  description:
    "Says of a task's notes that a person has looked at them: `done` (mended by hand) or `kept` (left on purpose). `open` takes that back. Without noteIds and page it means all of them. It changes no page.",
  hints: { ...starts, idempotentHint: true, openWorldHint: false },
  input: Joi.object({ taskId, ...fieldsOf(notesBody, 'state', 'page'), noteIds }),
  output: answerOf({
    taskId: string('The task.').required(),
    state: string('Their state now.').required(),
    count: count('How many notes.'),
  }),
  limit: 'create',
  async run(call, { noteIds, ...request }) {
    const { caller, parts } = call;
    const taskId = knownTask(call, request.taskId);
    const { finished } = await parts.tasks.find(caller.organizationId, taskId);
    const { state, page } = request;
    const notes = noteIds && idsOfSame(notesIn(finished), noteIds);
    const settled = await settle(caller, parts, taskId, { state, ...defined({ page, notes }) });
    return {
      taskId,
      state,
      count: settled.length,
      next: 'get_task lists the notes that are still open.',
    };
  },
};
