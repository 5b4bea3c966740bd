import { Joi } from '../../boundedJoi.ts';
import { undoTaskVersion } from '../../tasks/taskVersions.ts';
import { undoBody, type UndoBody } from '../../api/routes/tasks/versions.schema.ts';
import { requireTaskId } from '../startingTool.ts';
import { countField, pickFields, taskId, textField, textList, toolAnswer } from '../schemas.ts';
import { startHints, type AssistantTool } from '../tool.ts';

/** `undo_version`: makes the version before the current one of a task's result current again. */
export const undoVersionTool: AssistantTool<UndoBody & { taskId: string }> = {
  name: 'undo_version',
  title: 'Undo the current version of a task',
  description:
    'Undoes the latest change of a completed task: facts that drop_notes removed, or an edit by hand. Its notes are open again. It publishes nothing.',
  hints: startHints,
  input: Joi.object({ taskId, ...pickFields(undoBody, 'version') }),
  output: toolAnswer({
    taskId: textField('The task.').required(),
    version: countField('The new version.'),
    summary: textField('The change.').required(),
    pages: textList('The changed pages.').required(),
  }),
  limit: 'create',
  starts: true,
  async run(call, args) {
    const taskId = requireTaskId(call, args.taskId);
    const { number, summary, pages } = await undoTaskVersion(call.caller, call.deps, args);
    const next = 'Call get_task to see the notes that are open again.';
    return { taskId, version: number, summary, pages, next };
  },
};
