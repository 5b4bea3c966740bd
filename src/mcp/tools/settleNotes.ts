import { Joi } from '../../boundedJoi.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { outcomeNotes } from '../../contract/task.ts';
import { notesBody } from '../../api/routes/tasks/notes.schema.ts';
import {
  changeNoteStates as settle,
  type NoteStatesRequest,
} from '../../tasks/changeNoteStates.ts';
import { matchingNoteIds } from '../../contract/notes/sameNotes.ts';
import { requireTaskId } from '../startingTool.ts';
import { toolAnswer, countField, pickFields, textField, textList, taskId } from '../schemas.ts';
import { startHints, type AssistantTool } from '../tool.ts';

interface SettleNotesArgs extends Pick<NoteStatesRequest, 'state' | 'page'> {
  taskId: string;
  noteIds?: string[];
}

export const noteIdList = textList('The notes. A noteId selects the note on all of its pages.')
  .items(Joi.string().max(60))
  .min(1)
  .max(300)
  .empty(null);

/** `settle_notes`: resolves notes of a task, i.e. records what became of them. */
export const settleNotesTool: AssistantTool<SettleNotesArgs> = {
  name: 'settle_notes',
  title: 'Resolve notes',
  description:
    'Records that a person has checked notes of a task: `done` (corrected by hand) or `kept` (kept on purpose). `open` opens the notes again. Without noteIds and page, it applies to all notes of the task. It does not change any page.',
  hints: { ...startHints, idempotentHint: true, openWorldHint: false },
  input: Joi.object({ taskId, ...pickFields(notesBody, 'state', 'page'), noteIds: noteIdList }),
  output: toolAnswer({
    taskId: textField('The task.').required(),
    state: textField('The new state of the notes.').required(),
    count: countField('The number of notes.'),
  }),
  limit: 'create',
  async run(call, { noteIds, ...request }) {
    const { caller, deps } = call;
    const taskId = requireTaskId(call, request.taskId);
    const { finished } = await deps.tasks.find(caller.organizationId, taskId);
    const { state, page } = request;
    const meantNoteIds = noteIds && matchingNoteIds(outcomeNotes(finished), noteIds);
    const resolvedNotes = await settle(caller, deps, taskId, {
      state,
      ...withoutUndefined({ page, notes: meantNoteIds }),
    });
    return {
      taskId,
      state,
      count: resolvedNotes.length,
      next: 'Call get_task to see the notes that are still open.',
    };
  },
};
