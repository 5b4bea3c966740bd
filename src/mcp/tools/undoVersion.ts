import { Joi } from '../../boundedJoi.ts';
import { undoBatchVersion } from '../../tasks/batches/batchVersions.ts';
import { undoTaskVersion } from '../../tasks/taskVersions.ts';
import { undoBody, type UndoBody } from '../../api/routes/tasks/versions.schema.ts';
import { requireTaskId } from '../startingTool.ts';
import { countField, pickFields, taskId, textField, textList, toolAnswer } from '../schemas.ts';
import { startHints, type AssistantTool } from '../tool.ts';
import { batchId, requireBatchId } from './batches/batchFields.ts';

/** One of the two ids. */
interface UndoArgs extends UndoBody {
  taskId?: string;
  batchId?: string;
}

/** `undo_version`: makes the version before the current one of a task or batch current again. */
export const undoVersionTool: AssistantTool<UndoArgs> = {
  name: 'undo_version',
  title: 'Undo the current version of a task or batch',
  description:
    'Undoes the latest change of a completed task or of a batch: facts that were removed, pages that were left out, or an edit by hand. Its notes are open again. Name one of the two. It publishes nothing.',
  hints: startHints,
  input: Joi.object({
    taskId: taskId.optional().empty(null),
    batchId: batchId.optional().empty(null),
    ...pickFields(undoBody, 'version'),
  }).xor('taskId', 'batchId'),
  output: toolAnswer({
    taskId: textField('The task.'),
    batchId: textField('The batch.'),
    version: countField('The new version.'),
    summary: textField('The change.').required(),
    pages: textList('The changed pages.').required(),
  }),
  limit: 'create',
  starts: true,
  async run(call, { taskId: undoneTaskId, batchId: undoneBatchId, ...body }) {
    const { caller, deps } = call;
    const undone =
      undoneBatchId === undefined
        ? { taskId: requireTaskId(call, undoneTaskId ?? '') }
        : { batchId: requireBatchId(call, undoneBatchId) };
    const { number, summary, pages } =
      undone.batchId === undefined
        ? await undoTaskVersion(caller, deps, { taskId: undone.taskId, ...body })
        : await undoBatchVersion(caller, deps, { batchId: undone.batchId, ...body });
    const reader = undone.batchId === undefined ? 'get_task' : 'get_batch';
    const next = `Call ${reader} to see the notes that are open again.`;
    return { ...undone, version: number, summary, pages, next };
  },
};
