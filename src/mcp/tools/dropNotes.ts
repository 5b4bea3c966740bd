import { Joi } from '../../boundedJoi.ts';
import { withoutUndefined } from '../../contract/withoutUndefined.ts';
import { type NoteKind, outcomeNotes } from '../../contract/task.ts';
import { invalidInputError } from '../../errors.ts';
import { dropBody } from '../../api/routes/tasks/notes.schema.ts';
import { removeTaskFacts } from '../../tasks/removeTaskFacts.ts';
import { collectOpenNotes } from '../../tasks/openNotes.ts';
import { matchingNoteIds } from '../../contract/notes/sameNotes.ts';
import { requireTaskId } from '../startingTool.ts';
import { countField, pickFields, taskId, textField, textList, toolAnswer } from '../schemas.ts';
import { noteIdList } from './settleNotes.ts';
import { type AssistantCall, startHints, type AssistantTool } from '../tool.ts';

interface DropNotesArgs {
  taskId: string;
  noteIds?: string[];
  kind?: NoteKind;
  page?: string;
  text?: string;
  value?: string;
  places?: Record<string, string>;
}

const MOST_MESSAGES = 50;

/** `drop_notes`: removes the facts that notes name, such as a price, from a task's pages. */
export const dropNotesTool: AssistantTool<DropNotesArgs> = {
  name: 'drop_notes',
  title: 'Remove or replace the facts of notes',
  description:
    'Removes from the pages of a completed task what its notes name, such as a price of the template. Pass noteIds or a kind. With noteIds, a text of the person can replace it, or unused values of the context get a place by their keys. Notes of base tasks are included. It makes a new version of the task and publishes nothing.',
  hints: { ...startHints, idempotentHint: true },
  input: Joi.object({
    taskId,
    noteIds: noteIdList,
    ...pickFields(dropBody, 'kind', 'page', 'text', 'value', 'places'),
  })
    .with('text', 'noteIds')
    .with('places', 'noteIds')
    .with('value', 'text'),
  output: toolAnswer({
    taskId: textField('The task.').required(),
    version: Joi.number()
      .integer()
      .allow(null)
      .required()
      .description('The new version. Null if there was nothing to remove.'),
    removed: countField(
      'Notes whose facts were removed or replaced, or whose values have a place now.',
    ),
    gone: countField('Notes whose facts were gone before.'),
    remaining: countField('Notes whose facts cannot be removed or replaced by themselves.'),
    messages: textList('What was removed, and what was not.').required(),
  }),
  limit: 'create',
  starts: true,
  async run(call, { noteIds, kind, page, text, value, places, ...args }) {
    const { caller, deps } = call;
    const taskId = requireTaskId(call, args.taskId);
    if (!noteIds && !kind)
      throw invalidInputError('One of noteIds and kind is required, to say what to remove');
    const notes = noteIds && matchingNoteIds(await allNotesOf(call, taskId), noteIds);
    const request = { taskId, ...withoutUndefined({ page, kind, notes, text, value, places }) };
    const { version, removed, gone, remaining, sentences, ...holder } = await removeTaskFacts(
      caller,
      deps,
      request,
    );
    return {
      taskId: holder.taskId,
      version: version?.number ?? null,
      removed: removed.length,
      gone: gone.length,
      remaining: remaining.length,
      messages: sentences.slice(0, MOST_MESSAGES),
      next: version
        ? `Show the previews to the person. Call undo_version to undo version ${version.number}, or publish_task to make the pages live.`
        : 'The pages did not change. Call get_task to see the notes that are still open.',
    };
  },
};

/** The notes of a task, and the open notes of its base tasks. */
async function allNotesOf({ caller, deps }: AssistantCall, taskId: string) {
  const { finished } = await deps.tasks.find(caller.organizationId, taskId);
  return [...outcomeNotes(finished), ...(await collectOpenNotes(deps, caller, taskId))];
}
