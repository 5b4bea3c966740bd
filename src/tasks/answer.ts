import { createHash } from 'node:crypto';
import { defined } from '../contract/defined.ts';
import type { Caller } from './caller.ts';
import type { Needs } from './ports.ts';
import type { Sent } from './start.ts';

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
export function answer(
  { organizationId }: Caller,
  { tasks }: Needs<'tasks'>,
  { taskId, ...given }: AnswerRequest,
  { idempotencyKey }: Pick<Sent, 'idempotencyKey'>,
): Promise<void> {
  const key = idempotencyKey === undefined ? undefined : digestOf(idempotencyKey);
  return tasks.answer(organizationId, taskId, { ...given, ...defined({ key }) });
}

const digestOf = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 32);
