import { isTaskId } from '../contract/task.ts';
import { hasErrorCode, notFoundError } from '../errors.ts';
import type { AssistantCall } from './tool.ts';

/**
 * Explains why no task was found: a batch has an id of the same form.
 * @param error what a call has thrown
 * @returns an error that says so if the argument `taskId` is the id of a batch; otherwise `error`
 */
export async function explainBatchId(
  { caller, deps }: Pick<AssistantCall, 'caller' | 'deps'>,
  { taskId }: { taskId?: unknown },
  error: unknown,
): Promise<unknown> {
  if (!hasErrorCode(error, 'NOT_FOUND') || typeof taskId !== 'string' || !isTaskId(taskId))
    return error;
  try {
    await deps.batches.find(caller.organizationId, taskId);
  } catch (batchError) {
    if (hasErrorCode(batchError, 'NOT_FOUND')) return error;
    throw batchError;
  }
  return notFoundError('Task not found. This is the id of a batch. Call get_batch with it.');
}
