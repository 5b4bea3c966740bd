import { createHash } from 'node:crypto';
import { withoutUndefined } from '../contract/withoutUndefined.ts';
import type { RequestCaller } from './caller.ts';
import type { NeededPorts } from './ports.ts';
import type { RequestIdempotency } from './startTask.ts';

/** An answer to the question that a task asks people. */
export interface AnswerRequest {
  taskId: string;
  answer: string;
  /** Absent: the open question. */
  questionId?: string;
}

/**
 * Answers the open question of a task, which then continues. Repeating the answer changes nothing.
 * @throws DomainError NOT_FOUND, CONFLICT if the task has no open question or another one,
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
