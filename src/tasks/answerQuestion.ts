import { createHash } from 'node:crypto';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import type { RequestCaller } from './caller.ts';
import type { NeededPorts } from './ports.ts';
import type { RequestIdempotency } from './startTask.ts';

/** An answer to the question that a task asks. */
export interface AnswerRequest {
  taskId: string;
  answer: string;
  /** Absent: the question that the task asks now. */
  questionId?: string;
}

/**
 * Answers the question of a task, which then goes on. Repeating the answer changes nothing.
 * @throws DomainError NOT_FOUND, CONFLICT if the task asks nothing or another question,
 *   IDEMPOTENCY_MISMATCH, UNAVAILABLE
 */
export function answerTaskQuestion(
  { organizationId }: RequestCaller,
  { tasks }: NeededPorts<'tasks'>,
  { taskId, ...answerFields }: AnswerRequest,
  { idempotencyKey }: Pick<RequestIdempotency, 'idempotencyKey'>,
): Promise<void> {
  const key = idempotencyKey === undefined ? undefined : keyDigest(idempotencyKey);
  return tasks.answer(organizationId, taskId, { ...answerFields, ...withoutUndefined({ key }) });
}

const keyDigest = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 32);
