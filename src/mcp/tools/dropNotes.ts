import { Joi } from '../../boundedJoi.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { type NoteKind, outcomeNotes } from '../../contract/task.ts';
import { invalidInputError } from '../../errors.ts';
import { dropBody } from '../../api/routes/tasks/notes.schema.ts';
import { startFactRemoval as drop } from '../../tasks/startFactRemoval.ts';
import { collectOpenNotes } from '../../tasks/openNotes.ts';
import { matchingNoteIds } from '../../contract/notes/sameNotes.ts';
import { type ChangingArgs, requireTaskId, submissionTo, TASKS_PATH } from '../startingTool.ts';
import { pickFields, idempotencyKey, presentStart, startedAnswer, taskId } from '../schemas.ts';
import { noteIdList } from './settleNotes.ts';
import { type AssistantCall, startHints, type AssistantTool } from '../tool.ts';

interface DropNotesArgs extends Pick<ChangingArgs, 'idempotencyKey'> {
  taskId: string;
  noteIds?: string[];
  kind?: NoteKind;
  page?: string;
  title?: string;
}

/** `drop_notes`: starts a task that removes the facts that notes name, such as a price. */
export const dropNotesTool: AssistantTool<DropNotesArgs> = {
  name: 'drop_notes',
  title: 'Remove the facts of notes',
  description:
    'Starts a task that removes from the pages what the notes of a completed task name, such as a price of the template. Pass noteIds or a kind. Notes of base tasks are included. The result has previews. Publish it instead of the other task.',
  hints: { ...startHints, openWorldHint: true },
  input: Joi.object({
    taskId,
    noteIds: noteIdList,
    ...pickFields(dropBody, 'kind', 'page', 'title'),
    idempotencyKey,
  }),
  output: startedAnswer,
  limit: 'create',
  starts: true,
  async run(call, { noteIds, idempotencyKey, ...otherArgs }) {
    const { caller, deps } = call;
    const taskId = requireTaskId(call, otherArgs.taskId);
    const { kind, page, title } = otherArgs;
    if (!noteIds && !kind)
      throw invalidInputError('One of noteIds and kind is required, to say what to remove');
    const meantNoteIds = noteIds && matchingNoteIds(await allNotesOf(call, taskId), noteIds);
    const request = {
      taskId,
      publish: false,
      onWarnings: 'publish' as const,
      ...withoutUndefined({ page, kind, notes: meantNoteIds, title }),
    };
    const submission = submissionTo(`${TASKS_PATH}/${taskId}/notes/drop`, idempotencyKey);
    return presentStart(await drop(caller, deps, request, submission));
  },
};

/** The notes of a task, and the open notes of its base tasks. */
async function allNotesOf({ caller, deps }: AssistantCall, taskId: string) {
  const { finished } = await deps.tasks.find(caller.organizationId, taskId);
  return [...outcomeNotes(finished), ...(await collectOpenNotes(deps, caller, taskId))];
}
